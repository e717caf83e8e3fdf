import type { RequestListener } from 'node:http'
import { type Health, healthRoutes } from '@taproom/health'
import { openApiRoutes } from '@taproom/openapi'
import { createHttpApp, type Logger, type Metrics } from '@taproom/service'
import { describeMovieApi } from './movie-description.ts'
import { movieRoutes } from './movie-routes.ts'
import type { Movies } from './movies.ts'

export interface AppDependencies {
  readonly movies: Movies
  readonly health: Health
  readonly healthPaths: { readonly rootPath: string; readonly ui: boolean }
  readonly metrics: Metrics
  readonly log: Logger
}

export function createApp({ movies, health, healthPaths, metrics, log }: AppDependencies): RequestListener {
  return createHttpApp({
    log,
    metrics,
    routes: [
      movieRoutes(movies),
      healthRoutes(health, healthPaths),
      metrics.routes,
      openApiRoutes(describeMovieApi(healthPaths)),
    ],
  })
}
