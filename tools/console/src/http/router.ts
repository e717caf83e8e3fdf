import type { IncomingMessage } from 'node:http'
import { methodNotAllowed, pathOf, type RequestHandler } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import type { Handler, Routes } from './route.ts'

interface Place {
  /** Parts of the path: a text, or the name of a parameter. */
  readonly parts: readonly (string | { readonly name: string })[]
  readonly handlers: Map<string, Handler>
}

/**
 * A handler that answers `routes`, and leaves all other paths to the next one. A path is compared part by part; a part in braces takes any
 * text but none at all, decoded. HEAD is served where GET is, other methods are 405.
 *
 * @throws {RangeError} when a route is no method and path, or two are the same
 */
export function createRouter(routes: Routes, stop: AbortSignal): RequestHandler {
  const places = placesOf(routes)
  return (request, response, next) => {
    const given = pathOf(request.url).slice(1).split('/')
    const place = places.find(({ parts }) => fits(parts, given))
    if (place === undefined) return next()
    const { handlers } = place
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '')
    const handler = handlers.get(method)
    if (handler === undefined) {
      request.resume()
      const allow = [...handlers.keys()].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
      return methodNotAllowed(...allow)(request, response)
    }
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    return handler({
      request,
      response,
      params: paramsOf(place.parts, given),
      query: queryOf(request),
      signal: AbortSignal.any([gone.signal, stop]),
    })
  }
}

function placesOf(routes: Routes): readonly Place[] {
  const places = new Map<string, Place>()
  for (const [route, handler] of Object.entries(routes)) {
    const [, method = '', path = ''] = /^([A-Z]+) \/(\S*)$/.exec(route) ?? []
    if (method === '') throw new RangeError(`route "${route}": expected a method and a path, such as GET /api/services`)
    const parts = path.split('/').map((part) => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
      return name === undefined ? part : { name }
    })
    const shape = parts.map((part) => (typeof part === 'string' ? part : '{}')).join('/')
    const place = places.get(shape) ?? { parts, handlers: new Map() }
    if (place.handlers.has(method)) throw new RangeError(`route "${route}": there is another with the same path`)
    place.handlers.set(method, handler)
    places.set(shape, place)
  }
  // Those with fewer parameters first: `/api/x/list` before `/api/x/{name}`.
  return [...places.values()].sort((one, other) => parameters(one) - parameters(other))
}

function parameters({ parts }: Place): number {
  return parts.filter((part) => typeof part !== 'string').length
}

function fits(parts: Place['parts'], given: readonly string[]): boolean {
  if (parts.length !== given.length) return false
  return parts.every((part, index) => (typeof part === 'string' ? part === given[index] : given[index] !== ''))
}

function paramsOf(parts: Place['parts'], given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parts.flatMap((part, index) => (typeof part === 'string' ? [] : [[part.name, decoded(given[index] ?? '')]])),
  )
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (cause) {
    throw new HttpProblem(400, { detail: `the path has "${part}": expected percent-encoded UTF-8`, cause })
  }
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}
