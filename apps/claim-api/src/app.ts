import { type Health, healthRoutes } from '@taproom/health'
import { authenticate, type JwtVerifier } from '@taproom/jwt'
import { openApiRoutes } from '@taproom/openapi'
import {
  byTag,
  createHttpApp,
  createMetrics,
  forManagement,
  type HttpApp,
  type Logger,
  reportRefusals,
} from '@taproom/service'
import { describeClaimApi } from './claim-description.ts'
import { claimRoutes } from './claim-routes.ts'
import type { Config } from './config.ts'

export function createApp(deps: {
  readonly config: Config
  readonly verifier: Pick<JwtVerifier, 'verify' | 'outcomes'>
  readonly health: Health
  readonly log: Logger
}): HttpApp {
  const { config, verifier, health, log } = deps
  const onRefusal = reportRefusals(log, config.http.trustedProxies)
  const authenticated = authenticate(verifier, { ...config.jwt.token, onRefusal })
  const metrics = createMetrics({ health })
  const help = 'Tokens that were accepted, and refused for each reason.'
  metrics.watch('jwt_tokens_total', { type: 'counter', help }, () => byTag('outcome', verifier.outcomes()))
  return createHttpApp({
    log,
    metrics,
    routes: [
      claimRoutes(authenticated, config),
      forManagement(healthRoutes(health, config.health)),
      forManagement(metrics.routes),
      forManagement(openApiRoutes(describeClaimApi(config))),
    ],
  })
}
