import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { authenticate, type JwtProperties, type JwtVerifier } from '@taproom/jwt'
import { openApiRoutes } from '@taproom/openapi'
import {
  byTag,
  createHttpApp,
  createMetrics,
  forManagement,
  type HttpApp,
  type Logger,
  reportRefusals,
  type TrustedProxies,
} from '@taproom/service'
import { type DescribedJwt, describeClaimApi } from './claim-description.ts'
import { claimRoutes } from './claim-routes.ts'

export function createApp(deps: {
  readonly verifier: Pick<JwtVerifier, 'verify' | 'outcomes'>
  readonly jwt: DescribedJwt & Pick<JwtProperties, 'scopes'>
  readonly trustedProxies: TrustedProxies
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}): HttpApp {
  const authenticated = authenticate(deps.verifier, {
    ...deps.jwt.token,
    onRefusal: reportRefusals(deps.log, deps.trustedProxies),
  })
  const metrics = createMetrics({ health: deps.health })
  const help = 'Tokens that were accepted, and refused for each reason.'
  metrics.watch('jwt_tokens_total', { type: 'counter', help }, () => byTag('outcome', deps.verifier.outcomes()))
  return createHttpApp({
    log: deps.log,
    metrics,
    routes: [
      claimRoutes({ authenticated, scopes: deps.jwt.scopes }),
      forManagement(healthRoutes(deps.health, deps.healthRoutes)),
      forManagement(metrics.routes),
      forManagement(openApiRoutes(describeClaimApi({ jwt: deps.jwt, health: deps.healthRoutes }))),
    ],
  })
}
