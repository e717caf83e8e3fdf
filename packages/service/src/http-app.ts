import type { RequestListener } from 'node:http'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import { type DirectRoute, directDispatch, directRouter } from './direct-routes.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { HttpProblem, notFound, problemHandler } from './problem.ts'

/** A handler of requests, with the prototypes that express gives to requests and responses; `listen` makes them so. */
export type HttpApp = RequestListener & Pick<Express, 'request' | 'response'>

/** express gives up, with a page of its own, on a target that it can't read as a URL, such as `http://[/movie`. */
const NO_TARGET = new HttpProblem(400, { detail: 'the request target is not a path or URL' })

/**
 * An express app of the given routes, in their order; whatever they do not answer is 404, and whatever they throw becomes
 * problem+json. Query strings are parsed flat (`a=1&a=2` is an array, nothing is ever an object).
 * With `metrics`, every request is measured; `metrics.routes` is to be among the routes. `direct` routes come before all others.
 */
export function createHttpApp(options: {
  readonly log: Logger
  readonly routes: readonly RequestHandler[]
  readonly direct?: readonly DirectRoute[]
  readonly metrics?: Pick<Metrics, 'measure'>
}): HttpApp {
  const { direct = [] } = options
  const before = options.metrics === undefined ? [] : [options.metrics.measure]
  const onError = problemHandler(options.log)

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  for (const handlers of [...before, directRouter(direct), ...options.routes, notFound]) app.use(handlers)
  app.use(onError)

  const dispatch = directDispatch(app, direct, { before, onError })
  const listener: RequestListener = (req, res) => {
    if (!dispatch(req, res))
      app(req as Request, res as Response, () => onError(NO_TARGET, req as Request, res as Response, () => {}))
  }
  return Object.assign(listener, { request: app.request, response: app.response })
}
