import type { RequestListener } from 'node:http'
import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { createHttpApp, type Logger } from '@taproom/service'

/** Serves health only; the beers go to Kafka. */
export function createApp(deps: {
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}): RequestListener {
  return createHttpApp({ log: deps.log, routes: [healthRoutes(deps.health, deps.healthRoutes)] })
}
