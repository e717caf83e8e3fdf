import type { RequestListener } from 'node:http'
import { eventListener } from '@taproom/events'
import type { Health, HealthRoutesOptions } from '@taproom/health'
import { createMetrics, type Logger } from '@taproom/service'
import type { Request, Response } from 'express'
import { eventLog } from './event-log.ts'
import type { SinkIdentity } from './sink-identity.ts'

/** What a sink's app is made of. */
export interface AppDeps {
  readonly identity: SinkIdentity
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}

/**
 * The HTTP side of a sink: events at `POST /`, health and metrics. Events are answered on bare node:http, and express is loaded by
 * the first request that is none: what starts a sink from zero is an event, and loading express takes as long as all else.
 */
export function createApp(deps: AppDeps): RequestListener {
  const metrics = createMetrics({ health: deps.health })
  const events = eventLog(deps.identity, deps.log)
  const receive = eventListener(events.onEvent, events)
  const failures = new WeakMap<object, unknown>()
  let loading: Promise<RequestListener> | undefined

  async function answerByExpress(req: Request, res: Response): Promise<void> {
    loading ??= import('./express-app.ts').then(({ createExpressApp }) =>
      createExpressApp({ ...deps, events, metrics: metrics.routes, failures }),
    )
    const app = await loading
    app(req, res)
  }

  return (message, response) => {
    // What is done with them before express has them is all in node:http's own classes.
    const req = message as Request
    const res = response as Response
    metrics.measure(req, res, () => {
      if (req.method !== 'POST' || req.url !== '/') return void answerByExpress(req, res)
      req.baseUrl = ''
      req.route = { path: '/' }
      receive(req, res, (error) => {
        failures.set(req, error)
        void answerByExpress(req, res)
      })
    })
  }
}
