import type { RequestListener } from 'node:http'
import type { RequestHandler } from '@taproom/http'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

/** What `listen` needs to know of an app besides how it answers. */
export interface AppParts {
  readonly log: Logger
  readonly metrics?: Pick<Metrics, 'measure'> & Partial<Pick<Metrics, 'add'>>
  /** The same app in two: without its management routes, so that `paths` are 404, and these alone. Absent if it has none. */
  readonly split?: (paths: readonly string[]) => {
    readonly main: RequestListener
    readonly management: RequestListener
  }
}

const parts = new WeakMap<RequestListener, AppParts>()

/** Remembers what an app is made of; returns the app. */
export function madeOf<App extends RequestListener>(app: App, of: AppParts): App {
  parts.set(app, of)
  return app
}

/** What an app is made of; undefined for other handlers. */
export function partsOf(app: RequestListener): AppParts | undefined {
  return parts.get(app)
}

const managementRoutes = new WeakSet<object>()

/**
 * Tells the kernel which routes are for who runs the service, and not for its users: health, metrics, the description. With
 * `MANAGEMENT_PORT` they are served there alone, otherwise at their place among the other routes.
 */
export function forManagement(route: RequestHandler): RequestHandler {
  const marked: RequestHandler = (req, res, next) => route(req, res, next)
  managementRoutes.add(marked)
  return marked
}

/** Whether a route was given to {@link forManagement}. */
export const isForManagement = (route: object): boolean => managementRoutes.has(route)
