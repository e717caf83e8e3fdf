import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { createHttpApp, type Logger } from '@taproom/service'
import type { Express } from 'express'
import type { SinkIdentity } from './sink-identity.ts'
import { sinkRoutes } from './sink-routes.ts'

/** What a sink's app is made of. */
export interface AppDeps {
  readonly identity: SinkIdentity
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}

/** The HTTP side of a sink: events at `POST /`, and the health routes. */
export function createApp(deps: AppDeps): Express {
  return createHttpApp({
    log: deps.log,
    routes: [sinkRoutes(deps.identity, deps.log), healthRoutes(deps.health, deps.healthRoutes)],
  })
}
