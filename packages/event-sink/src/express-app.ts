import { receiveEvents } from '@taproom/events'
import { healthRoutes } from '@taproom/health'
import { createHttpApp, type HttpApp } from '@taproom/service'
import type { RequestHandler } from 'express'
import type { AppDeps } from './app.ts'
import type { EventLog } from './event-log.ts'

/** What the requests are answered from that are no events. */
export interface ExpressAppDeps extends AppDeps {
  readonly events: EventLog
  readonly metrics: RequestHandler
  /** Requests whose event could not be taken, and why: answered as what any handler throws. */
  readonly failures: WeakMap<object, unknown>
}

/** Everything a sink answers, on express. */
export function createExpressApp({
  events,
  health,
  healthRoutes: options,
  metrics,
  failures,
  log,
}: ExpressAppDeps): HttpApp {
  const failed: RequestHandler = (req, _res, next) => next(failures.get(req))
  return createHttpApp({
    log,
    routes: [failed, receiveEvents(events.onEvent, events), healthRoutes(health, options), metrics],
  })
}
