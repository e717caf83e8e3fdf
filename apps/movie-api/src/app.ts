import { type Health, healthRoutes } from '@taproom/health'
import { createHttpApp, type Logger } from '@taproom/service'
import type { Express, Router } from 'express'
import { movieRoutes } from './movie-routes.ts'
import type { Movies } from './movies.ts'

export interface AppDependencies {
  readonly movies: Movies
  readonly health: Health
  readonly healthPaths: { readonly rootPath: string; readonly ui: boolean }
  readonly metrics: Router
  readonly log: Logger
}

export function createApp({ movies, health, healthPaths, metrics, log }: AppDependencies): Express {
  return createHttpApp({ log, routes: [movieRoutes(movies), healthRoutes(health, healthPaths), metrics] })
}
