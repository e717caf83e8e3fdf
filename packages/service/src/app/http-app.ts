import express, { type Express, type RequestHandler } from 'express'
import { withParts } from './app-parts.ts'
import { type AppOptions, split } from './bare-app.ts'
import { notFound, problemHandler } from './problem.ts'

export type HttpApp = Express

/**
 * An express app of the given routes; whatever they do not answer is 404, and whatever they throw becomes problem+json. Query strings are
 * parsed flat (`a=1&a=2` is an array, nothing is ever an object).
 */
export function createHttpApp({ routes, ...options }: AppOptions<RequestHandler>): HttpApp {
  const { log, metrics } = options
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  if (metrics !== undefined) app.use(metrics.measure)
  for (const route of routes) app.use(route)
  app.use(notFound)
  app.use(problemHandler(log))
  return withParts(app, { ...options, ...split({ ...options, routes }, createHttpApp) })
}
