import type { IncomingMessage, ServerResponse } from 'node:http'
import { methodNotAllowed } from './problem.ts'

/** The handlers of a path. */
export interface Served<Handler> {
  /** By method. */
  readonly handlers: ReadonlyMap<string, Handler>
  /** Answers all other methods. */
  readonly refuse: (req: IncomingMessage, res: ServerResponse) => void
  readonly route: {
    /** As it is in the table. */
    readonly path: string
    /** The parts of the path that the table has in braces, decoded; throws a `URIError` with the status 400 where that is not possible. */
    readonly params: Readonly<Record<string, string>>
  }
}

/** Finds what is served at a path. */
export type PathTable<Handler> = (path: string) => Served<Handler> | undefined

interface Place<Handler> extends Omit<Served<Handler>, 'refuse'> {
  /** Parts of the path: a text, or the name of a parameter. */
  readonly parts: readonly (string | { readonly name: string })[]
  readonly handlers: Map<string, Handler>
}

/**
 * A table of routes such as `GET /rules/{id}`. A path is compared part by part; a part in braces takes any text but none at all.
 *
 * @throws {RangeError} when a route is not a method and a path, or two are the same
 */
export function createPathTable<Handler>(routes: Readonly<Record<string, Handler>>): PathTable<Handler> {
  const served = placesOf(routes).map((place) => ({ ...place, refuse: methodNotAllowed(...place.handlers.keys()) }))
  const plain = new Map(served.flatMap((place) => (parameters(place) === 0 ? [[place.route.path, place]] : [])))
  // The fewest parameters first: `/x/list/{id}` before `/x/{name}/{id}`.
  const open = served.filter((place) => parameters(place) > 0).sort((one, other) => parameters(one) - parameters(other))
  return (path) => plain.get(path) ?? (open.length === 0 ? undefined : openPlace(open, path))
}

function placesOf<Handler>(routes: Readonly<Record<string, Handler>>): readonly Place<Handler>[] {
  const places = new Map<string, Place<Handler>>()
  for (const [route, handler] of Object.entries(routes)) {
    const [, method = '', path = ''] = /^([A-Z]+) (\/\S*)$/.exec(route) ?? []
    if (method === '') throw new RangeError(`route "${route}": expected a method and a path, such as GET /api/services`)
    const parts = path.split('/').map((part) => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
      return name === undefined ? part : { name }
    })
    const shape = parts.map((part) => (typeof part === 'string' ? part : '{}')).join('/')
    const place = places.get(shape) ?? { parts, handlers: new Map(), route: { path, params: {} } }
    if (place.handlers.has(method)) throw new RangeError(`route "${route}": there is another with the same path`)
    place.handlers.set(method, handler)
    places.set(shape, place)
  }
  return [...places.values()]
}

function parameters({ parts }: Pick<Place<unknown>, 'parts'>): number {
  return parts.filter((part) => typeof part !== 'string').length
}

function openPlace<Handler>(places: readonly (Place<Handler> & Served<Handler>)[], path: string) {
  const given = path.split('/')
  const place = places.find(({ parts }) => fits(parts, given))
  if (place === undefined) return undefined
  return {
    ...place,
    route: {
      path: place.route.path,
      // Decoded by the handler that reads them: a method that is not served is 405 before that.
      get params() {
        return paramsOf(place, given)
      },
    },
  }
}

function paramsOf(
  { parts }: Pick<Place<unknown>, 'parts'>,
  given: readonly string[],
): Readonly<Record<string, string>> {
  const named = parts.map((part, index) =>
    typeof part === 'string' ? [] : [[part.name, decoded(given[index] ?? '')] as const],
  )
  return Object.fromEntries(named.flat())
}

function fits(parts: Place<unknown>['parts'], given: readonly string[]): boolean {
  if (parts.length !== given.length) return false
  return parts.every((part, index) => (typeof part === 'string' ? part === given[index] : given[index] !== ''))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (cause) {
    const error = new URIError(`the path has "${part}": expected percent-encoded UTF-8`, { cause })
    throw Object.assign(error, { status: 400 })
  }
}
