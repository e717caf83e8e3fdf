import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { createHttpApp, createMetrics, type HttpApp, type Logger } from '@taproom/service'
import type { SinkIdentity } from './sink-identity.ts'
import { sinkRoutes } from './sink-routes.ts'

/** What a sink's app is made of. */
export interface AppDeps {
  readonly identity: SinkIdentity
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}

/** The HTTP side of a sink: events at `POST /`, health and metrics. */
export function createApp(deps: AppDeps): HttpApp {
  const metrics = createMetrics({ health: deps.health })
  return createHttpApp({
    log: deps.log,
    metrics,
    routes: [sinkRoutes(deps.identity, deps.log), healthRoutes(deps.health, deps.healthRoutes), metrics.routes],
  })
}
