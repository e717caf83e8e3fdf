import type { RequestListener } from 'node:http'
import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { createHttpApp, createMetrics, type Logger } from '@taproom/service'

/** Serves health and metrics only; the beers go to Kafka. */
export function createApp(deps: {
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}): RequestListener {
  const metrics = createMetrics({ health: deps.health })
  return createHttpApp({
    log: deps.log,
    metrics,
    routes: [healthRoutes(deps.health, deps.healthRoutes), metrics.routes],
  })
}
