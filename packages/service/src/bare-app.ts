import type { RequestListener } from 'node:http'
import type { RequestHandler } from '@taproom/http'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { notFound, problemHandler } from './problem.ts'

/** What an app is made of. */
export interface AppOptions<Handler = RequestHandler> {
  readonly log: Logger
  /** In their order. */
  readonly routes: readonly Handler[]
  /** Measures every request; its `routes` are to be among the routes. */
  readonly metrics?: Pick<Metrics, 'measure'>
}

/**
 * {@link createHttpApp} for handlers that need nothing of express, as those of health, metrics and events do: express takes longer to load
 * than the rest of a small service.
 */
export function createBareApp({ log, metrics, routes }: AppOptions): RequestListener {
  const onError = problemHandler(log)
  const handlers = [...(metrics === undefined ? [] : [metrics.measure]), ...routes]
  return (req, res) => {
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
}
