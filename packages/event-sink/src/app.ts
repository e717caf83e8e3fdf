import type { RequestListener } from 'node:http'
import { receiveEvents } from '@taproom/events'
import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { createBareApp, createMetrics, forManagement, type Logger } from '@taproom/service'
import { type EventHandlers, handlerOf } from './event-handlers.ts'

export interface AppDeps {
  /** The sink's name in logs. */
  readonly sink: string
  readonly on: EventHandlers
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}

/** Hands each event at `POST /` to the handler of its type; serves health and metrics. */
export function createApp({ sink, on, health, healthRoutes: options, log }: AppDeps): RequestListener {
  const metrics = createMetrics({ health })
  const events = receiveEvents(handlerOf(on), {
    onRefused: ({ code, attribute }) => log.info({ sink, code, attribute }, 'event refused'),
  })
  return createBareApp({
    log,
    metrics,
    routes: [events, forManagement(healthRoutes(health, options)), forManagement(metrics.routes)],
  })
}
