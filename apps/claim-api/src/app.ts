import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { authenticate, type JwtVerifier } from '@taproom/jwt'
import { openApiRoutes } from '@taproom/openapi'
import { byTag, createHttpApp, createMetrics, type HttpApp, type Logger } from '@taproom/service'
import { type DescribedJwt, describeClaimApi } from './claim-description.ts'
import { claimRoutes } from './claim-routes.ts'
import { clientAddress, type TrustedProxies } from './client-address.ts'
import type { JwtConfig } from './jwt-config.ts'
import { createRefusalLog } from './refusal-log.ts'

export function createApp(deps: {
  readonly verifier: Pick<JwtVerifier, 'verify' | 'outcomes'>
  readonly jwt: DescribedJwt & Pick<JwtConfig, 'scopes'>
  readonly trustedProxies: TrustedProxies
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}): HttpApp {
  const refused = createRefusalLog(deps.log)
  const authenticated = authenticate(deps.verifier, {
    ...deps.jwt.token,
    onRefusal: (req, refusal) => refused(clientAddress(req, deps.trustedProxies), refusal),
  })
  const metrics = createMetrics({ health: deps.health })
  const help = 'Tokens that were accepted, and refused for each reason.'
  metrics.watch('jwt_tokens_total', { type: 'counter', help }, () => byTag('outcome', deps.verifier.outcomes()))
  return createHttpApp({
    log: deps.log,
    metrics,
    routes: [
      claimRoutes({ authenticated, scopes: deps.jwt.scopes }),
      healthRoutes(deps.health, deps.healthRoutes),
      metrics.routes,
      openApiRoutes(describeClaimApi({ jwt: deps.jwt, health: deps.healthRoutes })),
    ],
  })
}
