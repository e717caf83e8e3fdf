import type { CheckOutcome, HealthStatus } from '@taproom/core/health'

export interface CheckReport extends CheckOutcome {
  readonly name: string
}

/** The JSON body of a health endpoint: UP when every check is UP, or when there are none. */
export interface HealthReport {
  readonly status: HealthStatus
  readonly checks: readonly CheckReport[]
}
