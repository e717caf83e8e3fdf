import type { RequestListener } from 'node:http'
import { pathOf, type RequestHandler } from '@taproom/http'
import { isBelow } from '../requests/server-span.ts'
import { type AppParts, isForManagement, withParts } from './app-parts.ts'
import { notFound, problemHandler } from './problem.ts'

/** What an app is made of. */
export interface AppOptions<Handler = RequestHandler> extends Pick<AppParts, 'log' | 'metrics'> {
  /** In their order. */
  readonly routes: readonly Handler[]
}

/**
 * {@link createHttpApp} for handlers that need nothing of express, as those of health, metrics and events do: express takes longer to load
 * than the rest of a small service.
 */
export function createBareApp({ routes, ...options }: AppOptions): RequestListener {
  const { log, metrics } = options
  const onError = problemHandler(log)
  const handlers = [...(metrics === undefined ? [] : [metrics.measure]), ...routes]
  const app: RequestListener = (req, res) => {
    const fail = (error: unknown) => onError(error, req, res)
    let count = 0
    const next = (error?: unknown): void => {
      if (error !== undefined && error !== null) {
        fail(error)
        return
      }
      const handler = handlers[count++] ?? notFound
      try {
        const result = handler(req, res, next)
        if (result instanceof Promise) result.catch(fail)
      } catch (thrown) {
        fail(thrown)
      }
    }
    next()
  }
  return withParts(app, { ...options, ...split({ ...options, routes }, createBareApp) })
}

/** How an app is made again without its management routes, and of these alone. */
export function split<Handler extends object>(
  { routes, ...options }: AppOptions<Handler>,
  create: (options: AppOptions<Handler>) => RequestListener,
): Pick<AppParts, 'split'> {
  const management = routes.filter(isForManagement)
  if (management.length === 0) return {}
  return {
    split: (paths) => {
      // At their place: what comes before may serve such a path, and what comes after may take every path.
      const main = routes.map((route) => (isForManagement(route) ? (notServed(paths) as Handler) : route))
      return { main: create({ ...options, routes: main }), management: create({ ...options, routes: management }) }
    },
  }
}

function notServed(paths: readonly string[]): RequestHandler {
  return (req, _res, next) => {
    if (isBelow(pathOf(req.url), paths)) notFound(req)
    next()
  }
}
