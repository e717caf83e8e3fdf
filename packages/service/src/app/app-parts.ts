import type { RequestListener } from 'node:http'
import type { RequestHandler } from '@taproom/http'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** What `listen` needs to know of an app besides how it answers. */
export interface AppParts {
  readonly log: Logger
  /**
   * Measures every request; its `routes` are to be among the routes. One that waits for its turn is given to `measure` when it comes and
   * again when it is begun.
   */
  readonly metrics?: Pick<Metrics, 'measure'> & Partial<Pick<Metrics, 'add'>>
  /** The same app in two: without its management routes, so that `paths` are 404, and these alone. Absent if it has none. */
  readonly split?: (paths: readonly string[]) => {
    readonly main: RequestListener
    readonly management: RequestListener
  }
}

export function withParts<App extends RequestListener>(app: App, parts: AppParts): App {
  return Object.assign(app, { parts })
}

/** The parts of an app; undefined for other handlers. */
export function partsOf(app: RequestListener & { readonly parts?: AppParts }): AppParts | undefined {
  return app.parts
}

/**
 * Marks a route that serves the operator and not the users: health, metrics, the description. With `MANAGEMENT_PORT` the route is served
 * there alone, otherwise at its place among the other routes.
 */
export function forManagement(route: RequestHandler): RequestHandler {
  const marked: RequestHandler = (req, res, next) => route(req, res, next)
  return Object.assign(marked, { isForManagement: true })
}

export const isForManagement = (route: object): boolean => 'isForManagement' in route
