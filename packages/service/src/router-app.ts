import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import Router from 'router'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { HttpProblem, notFound, problemHandler } from './problem.ts'

/** What an app is made of. */
export interface AppOptions<Handler = Router.RequestHandler> {
  readonly log: Logger
  /** In their order. */
  readonly routes: readonly Handler[]
  /** Measures every request; its `routes` are to be among the routes. */
  readonly metrics?: Pick<Metrics, 'measure'>
}

/** express gives up, with a page of its own, on a target that it can't read as a URL, such as `http://[/movie`. */
const NO_TARGET = new HttpProblem(400, { detail: 'the request target is not a path or URL' })

/**
 * {@link createHttpApp} for handlers that need nothing of express but its router, as those of health, metrics and events do: all that express
 * adds to requests and responses takes longer to load than the rest of a small service.
 */
export function createRouterApp(options: AppOptions): RequestListener {
  return appOn(Router(), options)
}

/** What express' apps and its router have in common. */
interface App<Handler> {
  (req: IncomingMessage, res: ServerResponse, unanswered: () => void): unknown
  use(handler: Handler | Router.RequestHandler | Router.ErrorRequestHandler): unknown
}

/** Puts the routes on an app of express, or on its router. */
export function appOn<Handler>(app: App<Handler>, { log, metrics, routes }: AppOptions<Handler>): RequestListener {
  const onError = problemHandler(log)
  if (metrics !== undefined) app.use(metrics.measure)
  for (const handler of routes) app.use(handler)
  app.use(notFound)
  app.use(onError)
  return (req, res) => app(req, res, () => onError(NO_TARGET, req, res))
}
