import type { RequestListener } from 'node:http'
import { receiveEvents } from '@taproom/events'
import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { createBareApp, createMetrics, forManagement, type Logger } from '@taproom/service'
import { loggedEvent } from './logged-event.ts'

export interface SinkIdentity {
  /** The app's name in logs: `ciao-sink`. */
  readonly app: string
  /** The Knative service it is deployed as: `eventingciao`. */
  readonly sink: string
}

export interface AppDeps {
  readonly identity: SinkIdentity
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}

/** Logs each event at `POST /` in one line; serves health and metrics. */
export function createApp({ identity, health, healthRoutes: options, log }: AppDeps): RequestListener {
  const { sink } = identity
  const metrics = createMetrics({ health })
  const events = receiveEvents((event) => log.info({ sink, event: loggedEvent(event) }, 'event received'), {
    onRefused: ({ code, attribute }) => log.info({ sink, code, attribute }, 'event refused'),
  })
  return createBareApp({
    log,
    metrics,
    routes: [events, forManagement(healthRoutes(health, options)), forManagement(metrics.routes)],
  })
}
