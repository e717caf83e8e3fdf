import type { RequestListener } from 'node:http'
import { receiveEvents } from '@taproom/events'
import { type Health, type HealthRoutesOptions, healthRoutes } from '@taproom/health'
import { createMetrics, createRouterApp, type Logger } from '@taproom/service'
import { eventLog } from './event-log.ts'
import type { SinkIdentity } from './sink-identity.ts'

/** What a sink's app is made of. */
export interface AppDeps {
  readonly identity: SinkIdentity
  readonly health: Health
  readonly healthRoutes: HealthRoutesOptions
  readonly log: Logger
}

/** The HTTP side of a sink: events at `POST /`, health and metrics. */
export function createApp({ identity, health, healthRoutes: options, log }: AppDeps): RequestListener {
  const metrics = createMetrics({ health })
  const events = eventLog(identity, log)
  const routes = [receiveEvents(events.onEvent, events), healthRoutes(health, options), metrics.routes]
  return createRouterApp({ log, metrics, routes })
}
