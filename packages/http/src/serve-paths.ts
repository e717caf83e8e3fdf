import type { IncomingMessage, ServerResponse } from 'node:http'
import { createPathTable, type PathTable } from './path-table.ts'

/** A request, with what express, {@link servePaths} and {@link serveRoutes} say about where it is served. */
export interface RoutedRequest extends IncomingMessage {
  /** Where express has mounted the handler: the part of the path that `url` is without. */
  baseUrl?: string
  /** The route that serves it; requests are measured by its path. */
  route?: {
    readonly path: unknown
    /** The parts of the path that a route of {@link serveRoutes} has in braces, decoded. */
    readonly params?: Readonly<Record<string, string>>
  }
}

/** A handler for an app of express that needs nothing of express. */
export type RequestHandler = (req: RoutedRequest, res: ServerResponse, next: (error?: unknown) => void) => unknown

/**
 * Serves exact paths, which with a slash at their end are the same, with GET (and HEAD) or POST; other methods are 405. All other paths are
 * left to the next handler. What a handler throws or rejects with goes to the app.
 */
export function servePaths(method: 'GET' | 'POST', handlers: Readonly<Record<string, RequestHandler>>): RequestHandler {
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
  const routes = methods.flatMap((name) =>
    Object.entries(handlers).map(([path, handler]) => [`${name} ${path}`, handler] as const),
  )
  const find = createPathTable(Object.fromEntries(routes))
  return serve((path) => find(path) ?? (/[^/]\/$/.test(path) ? find(path.slice(0, -1)) : undefined))
}

/**
 * Serves routes such as `GET /rules/{id}`; a part in braces takes any text but none at all. A path of the table with another method is 405,
 * and all other paths are left to the next handler.
 *
 * @throws {RangeError} when a route is not a method and a path, or two are the same
 */
export function serveRoutes(routes: Readonly<Record<string, RequestHandler>>): RequestHandler {
  return serve(createPathTable(routes))
}

function serve(find: PathTable<RequestHandler>): RequestHandler {
  return (req, res, next) => {
    const served = find(pathOf(req.url))
    if (served === undefined) return next()
    req.route = served.route
    const handler = served.handlers.get(req.method ?? '')
    return handler === undefined ? served.refuse(req, res) : handler(req, res, next)
  }
}

/**
 * The path of a request's target, which may be a whole URL (RFC 9112, section 3.2.2), for routes and for log lines: without user and
 * password, query and fragment, any of which may hold a secret.
 */
export function pathOf(target = ''): string {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  const query = local.indexOf('?')
  const path = query === -1 ? local : local.slice(0, query)
  const fragment = path.indexOf('#')
  return fragment === -1 ? path : path.slice(0, fragment)
}
