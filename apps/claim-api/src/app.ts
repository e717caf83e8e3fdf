import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { type AuthenticateOptions, authenticate, type JwtVerifier } from '@taproom/jwt'
import { createHttpApp, type Logger } from '@taproom/service'
import type { Express } from 'express'
import { claimRoutes } from './claim-routes.ts'

/** What the app is made of. */
export interface AppDeps {
  readonly verifier: Pick<JwtVerifier, 'verify'>
  readonly token: AuthenticateOptions
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}

/** The HTTP side of claim-api. */
export function createApp(deps: AppDeps): Express {
  const authenticated = authenticate(deps.verifier, deps.token)
  return createHttpApp({
    log: deps.log,
    routes: [claimRoutes({ authenticated }), healthRoutes(deps.health, deps.healthRoutes)],
  })
}
