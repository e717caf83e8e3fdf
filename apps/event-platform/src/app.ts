import type { OutgoingChannel } from '@taproom/messaging'
import { createHttpApp, type Logger } from '@taproom/service'
import { type Express, Router } from 'express'
import { platformHealthRoutes } from './health.ts'
import type { Platform } from './platform.ts'
import { brokerRoutes, clusterHostRoutes, sinkRoutes } from './routes.ts'

/** What the platform's HTTP side is built from. */
export interface AppOptions {
  readonly platform: Platform
  readonly outgoing: OutgoingChannel
  readonly health: { readonly rootPath: string; readonly ui: boolean }
  readonly shutdown: AbortSignal
  readonly log: Logger
}

/** Addresses of the cluster by host, then health, sinks and brokers by path. */
export function createApp({ platform, outgoing, health, shutdown, log }: AppOptions): Express {
  return createHttpApp({
    log,
    routes: [
      clusterHostRoutes(platform),
      Router().use(platformHealthRoutes({ platform, outgoing, ...health, shutdown })),
      sinkRoutes(platform),
      brokerRoutes(platform),
    ],
  })
}
