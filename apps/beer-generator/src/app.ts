import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { createHttpApp, type HttpApp, type Logger, type Metrics } from '@taproom/service'

/** Serves health and metrics only; the beers go to Kafka. */
export function createApp(deps: {
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly metrics: Metrics
  readonly log: Logger
}): HttpApp {
  const { health, metrics, log } = deps
  return createHttpApp({ log, metrics, routes: [healthRoutes(health, deps.healthRoutes), metrics.routes] })
}
