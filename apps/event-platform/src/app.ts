import { healthRoutes } from '@taproom/health'
import type { OutgoingChannel } from '@taproom/messaging'
import { createHttpApp, createMetrics, type HttpApp, type Logger } from '@taproom/service'
import { createPlatformHealth } from './health.ts'
import type { Platform } from './platform.ts'
import { watchPlatform } from './platform-metrics.ts'
import { brokerRoutes, clusterHostRoutes, sinkRoutes } from './routes.ts'

export interface AppDeps {
  readonly platform: Platform
  readonly outgoing: OutgoingChannel
  readonly health: { readonly rootPath: string; readonly ui: boolean }
  readonly shutdown: AbortSignal
  readonly log: Logger
}

/** Routes cluster addresses by host, then health, metrics, sinks and brokers by path. */
export function createApp({ platform, outgoing, health, shutdown, log }: AppDeps): HttpApp {
  const platformHealth = createPlatformHealth({ platform, outgoing, shutdown })
  const metrics = createMetrics({ health: platformHealth })
  watchPlatform(metrics, platform)
  return createHttpApp({
    log,
    metrics,
    routes: [
      clusterHostRoutes(platform),
      healthRoutes(platformHealth, health),
      metrics.routes,
      sinkRoutes(platform),
      brokerRoutes(platform),
    ],
  })
}
