import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { methodNotAllowed } from './problem.ts'

/**
 * A route of one method and one exact path, for the few that are asked thousands of times a second: it is found by one look-up, before
 * express' router, which alone costs as much as the rest of a small request.
 */
export interface DirectRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** As in express; the last one answers. Whatever is passed to `next` is an error. */
  readonly handlers: readonly RequestHandler[]
}

/** Answers a request if it is exactly that of a direct route; false if it is left to express. */
export type Dispatch = (req: IncomingMessage, res: ServerResponse) => boolean

/**
 * The same routes for express. It answers what is asked of them in any other form: HEAD, another method (405), a query string, a
 * slash at the end. A path with percent-encoding is another path, and 404, even where only unreserved characters are encoded.
 */
export function directRouter(routes: readonly DirectRoute[]): Router {
  const router = Router({ caseSensitive: true })
  for (const { method, path, handlers } of routes) {
    const route = router.route(path)
    if (method === 'GET') route.get(...handlers).all(methodNotAllowed('GET', 'HEAD'))
    else route.post(...handlers).all(methodNotAllowed('POST'))
  }
  return router
}

/**
 * Finds the direct routes of an app. `before` runs first and `onError` last, as they do in express.
 *
 * Only requests that have express' prototypes from the beginning are answered, as those of `listen` have: to give them to others costs more
 * than is won here.
 */
export function directDispatch(
  app: Express,
  routes: readonly DirectRoute[],
  { before, onError }: { readonly before: readonly RequestHandler[]; readonly onError: ErrorRequestHandler },
): Dispatch {
  const known = new Map(
    routes.map(({ method, path, handlers }) => [path, { method, route: { path }, handlers: [...before, ...handlers] }]),
  )
  return (message, response) => {
    const found = known.get(message.url ?? '')
    if (found === undefined || found.method !== message.method || !isOf(app, message)) return false
    const req = message as Request
    const res = response as Response
    req.res = res
    req.route = found.route
    req.baseUrl = ''
    req.originalUrl = req.url
    run(found.handlers, req, res, (error) => onError(error, req, res, () => {}))
    return true
  }
}

function isOf(app: Express, message: IncomingMessage): boolean {
  return Object.getPrototypeOf(message) === app.request
}

/** Calls the handlers one after another; the next one when the one before asks for it. */
function run(
  handlers: readonly RequestHandler[],
  req: Request,
  res: Response,
  fail: (error: unknown) => void,
  index = 0,
): void {
  const next = (error?: unknown) => {
    if (error === undefined) run(handlers, req, res, fail, index + 1)
    else fail(error)
  }
  try {
    const done: unknown = handlers[index]?.(req, res, next)
    if (done instanceof Promise) done.catch(fail)
  } catch (thrown) {
    fail(thrown)
  }
}
