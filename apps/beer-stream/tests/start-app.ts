import { createBeerClient } from '@taproom/beer'
import { createHealth } from '@taproom/health'
import { createLogger, createMetrics, listen } from '@taproom/service'
import { createApp } from '../src/app.ts'
import { BeerHub } from '../src/beer-hub.ts'
import type { BeerHubOptions } from '../src/beer-hub-options.ts'

/** The app on a free port; the test publishes to its hub in Kafka's place. */
export async function startApp(
  options: Partial<BeerHubOptions> & { beerServiceUrl?: string; timeoutMs?: number } = {},
) {
  const { beerServiceUrl = 'http://127.0.0.1:9', timeoutMs = 60_000, ...hubOptions } = options
  const hub = new BeerHub({ itemWaitMs: 10_000, ...hubOptions })
  hub.begin([{ partition: 0, from: 0n, end: 0n }])
  const app = createApp({
    hub,
    client: createBeerClient({ url: beerServiceUrl, timeoutMs }),
    health: createHealth(),
    healthRoutes: {},
    metrics: createMetrics(),
    log: createLogger('beer-stream', { level: 'silent' }),
  })
  const server = await listen(app, { host: '127.0.0.1', port: 0 })
  return {
    hub,
    url: server.url,
    port: server.port,
    async [Symbol.asyncDispose]() {
      hub[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
