import type { RequestListener } from 'node:http'
import express, { type Express, type RequestHandler } from 'express'
import { madeOf, partsOf } from './app-parts.ts'
import { type AppOptions, createBareApp, split } from './bare-app.ts'

/** A handler of requests, with the prototypes that express gives to requests and responses; `listen` makes them so. */
export type HttpApp = RequestListener & Pick<Express, 'request' | 'response'>

/**
 * An express app of the given routes; whatever they do not answer is 404, and whatever they throw becomes problem+json. Query strings are
 * parsed flat (`a=1&a=2` is an array, nothing is ever an object).
 */
export function createHttpApp({ routes, ...options }: AppOptions<RequestHandler>): HttpApp {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  for (const handler of routes) app.use(handler)
  const bare = createBareApp({ ...options, routes: [app] })
  madeOf(bare, { ...options, ...partsOf(bare), ...split({ ...options, routes }, createHttpApp) })
  return Object.assign(bare, { request: app.request, response: app.response })
}
