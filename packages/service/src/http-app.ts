import express, { type Express, type Router } from 'express'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { notFound, problemHandler } from './problem.ts'

/**
 * An express app of the given routes, in their order; whatever they do not answer is 404, and whatever they throw becomes
 * problem+json. Query strings are parsed flat (`a=1&a=2` is an array, nothing is ever an object).
 * With `metrics`, every request is measured; `metrics.routes` is to be among the routes.
 */
export function createHttpApp(options: {
  readonly log: Logger
  readonly routes: readonly Router[]
  readonly metrics?: Pick<Metrics, 'measure'>
}): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  if (options.metrics !== undefined) app.use(options.metrics.measure)
  for (const routes of options.routes) app.use(routes)
  app.use(notFound)
  app.use(problemHandler(options.log))
  return app
}
