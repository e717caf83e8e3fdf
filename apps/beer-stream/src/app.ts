import type { BeerClient } from '@taproom/beer'
import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { openApiRoutes } from '@taproom/openapi'
import { createHttpApp, forManagement, type HttpApp, type Logger, type Metrics } from '@taproom/service'
import { describeBeerStream } from './beer-description.ts'
import type { BeerHub } from './beer-hub.ts'
import { beerListRoutes } from './beer-list-routes.ts'
import { beerRoutes } from './beer-routes.ts'

export function createApp(deps: {
  readonly hub: BeerHub
  readonly client: BeerClient
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly metrics: Metrics
  readonly log: Logger
}): HttpApp {
  const { hub, client, health, metrics, log } = deps
  return createHttpApp({
    log,
    metrics,
    routes: [
      beerRoutes(hub),
      beerListRoutes({ client, log }),
      forManagement(healthRoutes(health, deps.healthRoutes)),
      forManagement(metrics.routes),
      forManagement(openApiRoutes(describeBeerStream(deps.healthRoutes))),
    ],
  })
}
