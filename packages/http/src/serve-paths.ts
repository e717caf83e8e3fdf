import type { IncomingMessage, ServerResponse } from 'node:http'
import { methodNotAllowed } from './problem.ts'

/** A request, with what express and {@link servePaths} say about where it is served. */
export interface RoutedRequest extends IncomingMessage {
  /** Where express has mounted the handler: the part of the path that `url` is without. */
  baseUrl?: string
  /** The route that serves it; requests are measured by its path. */
  route?: { readonly path: unknown }
}

/** A handler for an app of express that needs nothing of express. */
export type RequestHandler = (req: RoutedRequest, res: ServerResponse, next: (error?: unknown) => void) => unknown

/**
 * Serves exact paths, which with a slash at their end are the same, with GET (and HEAD) or POST; other methods are 405. All other paths are left to
 * the next handler. What a handler throws or rejects with goes to the app.
 */
export function servePaths(method: 'GET' | 'POST', handlers: Readonly<Record<string, RequestHandler>>): RequestHandler {
  const routes = new Map(Object.entries(handlers).map(([path, handler]) => [path, { path, handler }]))
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
  const refuse = methodNotAllowed(...methods)
  return (req, res, next) => {
    const path = pathOf(req.url)
    const route = routes.get(path) ?? (/[^/]\/$/.test(path) ? routes.get(path.slice(0, -1)) : undefined)
    if (route === undefined) return next()
    req.route = route
    return methods.includes(req.method ?? '') ? route.handler(req, res, next) : refuse(req, res)
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
