import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { openApiRoutes } from '@taproom/openapi'
import { createHttpApp, forManagement, type HttpApp, type Logger, type Metrics } from '@taproom/service'
import { describeMovieApi } from './movie-description.ts'
import { movieRoutes } from './movie-routes.ts'
import type { Movies } from './movies.ts'

export function createApp(deps: {
  readonly movies: Movies
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly metrics: Metrics
  readonly log: Logger
}): HttpApp {
  const { movies, health, metrics, log } = deps
  return createHttpApp({
    log,
    metrics,
    routes: [
      movieRoutes(movies),
      forManagement(healthRoutes(health, deps.healthRoutes)),
      forManagement(metrics.routes),
      forManagement(openApiRoutes(describeMovieApi(deps.healthRoutes))),
    ],
  })
}
