import express, { type Express, type Router } from 'express'
import type { Logger } from './logger.ts'
import { notFound, problemHandler } from './problem.ts'

/**
 * An express app of the given routes, in their order; whatever they do not answer is 404, and whatever they throw becomes
 * problem+json. Query strings are parsed flat (`a=1&a=2` is an array, nothing is ever an object).
 */
export function createHttpApp(options: { readonly log: Logger; readonly routes: readonly Router[] }): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  for (const routes of options.routes) app.use(routes)
  app.use(notFound)
  app.use(problemHandler(options.log))
  return app
}
