import type { HealthCheck } from '@taproom/health'

/** Readiness: DOWN while the service cannot do its work for a reason that none of its parts checks. */
export const ownCheck: HealthCheck = {
  name: 'template-app',
  check: () => ({ status: 'UP' }),
}
