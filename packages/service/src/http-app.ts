import type { RequestListener } from 'node:http'
import type { RequestHandler } from '@taproom/http'
import express, { type Express, type RequestHandler as ExpressHandler } from 'express'
import { madeOf, partsOf } from './app-parts.ts'
import { type AppOptions, createBareApp, split } from './bare-app.ts'

/** A handler of requests, with the prototypes that express gives to requests and responses; `listen` makes them so. */
export type HttpApp = RequestListener & Pick<Express, 'request' | 'response'>

/**
 * An express app of the given routes; whatever they do not answer is 404, and whatever they throw becomes problem+json. Query strings are
 * parsed flat (`a=1&a=2` is an array, nothing is ever an object).
 *
 * The routes are called one after another, as express' own first router would, which costs as much as finding the route does.
 */
export function createHttpApp({ routes, ...options }: AppOptions<ExpressHandler>): HttpApp {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  // What express' handlers expect of requests and responses is theirs from the first handler on.
  const handlers = [asExpressHas(app), ...routes] as readonly unknown[] as readonly RequestHandler[]
  const bare = createBareApp({ ...options, routes: handlers })
  madeOf(bare, { ...options, ...partsOf(bare), ...split({ ...options, routes }, createHttpApp) })
  return Object.assign(bare, { request: app.request, response: app.response })
}

/** Makes a request and its response those of an express app, as its `handle` does. */
function asExpressHas({ request, response }: Express): ExpressHandler {
  return (req, res, next) => {
    req.res = res
    res.locals = Object.create(null)
    // Those of `listen` have them already.
    if (Object.getPrototypeOf(req) !== request) Object.setPrototypeOf(req, request)
    if (Object.getPrototypeOf(res) !== response) Object.setPrototypeOf(res, response)
    next()
  }
}
