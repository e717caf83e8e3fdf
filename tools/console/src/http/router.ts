import type { IncomingMessage } from 'node:http'
import { type RequestHandler, serveRoutes } from '@taproom/http'
import type { Handler, Routes } from './route.ts'

/**
 * A handler that answers `routes`, and leaves all other paths to the next one. HEAD is served where GET is, other methods are 405.
 *
 * @throws {RangeError} when a route is not a method and a path, or two are the same
 */
export function createRouter(routes: Routes, stop: AbortSignal): RequestHandler {
  const all = Object.entries(routes).flatMap(([route, handler]) => {
    const answer = answerWith(handler, stop)
    return [route, ...(route.startsWith('GET ') ? [route.replace('GET', 'HEAD')] : [])].map((key) => [key, answer])
  })
  return serveRoutes(Object.fromEntries(all))
}

function answerWith(handler: Handler, stop: AbortSignal): RequestHandler {
  return (request, response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    return handler({
      request,
      response,
      params: request.route?.params ?? {},
      query: queryOf(request),
      signal: AbortSignal.any([gone.signal, stop]),
    })
  }
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}
