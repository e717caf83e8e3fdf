import { once } from 'node:events'
import { createBeerClient } from '@taproom/beer'
import { createHealth, processCheck } from '@taproom/health'
import { createKafka } from '@taproom/messaging'
import { createLogger, createMetrics, fatal, listen, shutdownSignal } from '@taproom/service'
import { createApp } from './app.ts'
import { BeerHub } from './beer-hub.ts'
import { readConfig } from './config.ts'
import { watchStream } from './metrics.ts'
import { openPricedBeerFeed } from './priced-beer-feed.ts'
import { streamCheck } from './stream-check.ts'

async function main() {
  const config = readConfig(process.env)
  const log = createLogger('beer-stream', config.log)
  const shutdown = shutdownSignal(log, config.graceMs)

  const client = createBeerClient(config.beerService)
  const kafka = createKafka({ clientId: 'beer-stream', ...config.pricedBeers, log })
  const hub = new BeerHub({ itemWaitMs: config.itemWaitMs })
  await using feed = openPricedBeerFeed(kafka, { hub, log, topic: config.pricedBeers.topic })
  const health = createHealth({
    liveness: [feed.liveness],
    readiness: [feed.check],
    wellness: [streamCheck(hub, feed), processCheck()],
    shutdown,
  })

  const metrics = createMetrics({ health })
  watchStream(metrics, hub, feed)
  const app = createApp({ hub, client, health, healthRoutes: config.health, metrics, log })
  await using server = await listen(app, config.http)
  // Disposed of first: the streams have to end before the server can drain.
  using _streams = hub
  log.info({ port: server.port }, 'beer-stream ready')
  if (!shutdown.aborted) await once(shutdown, 'abort')
}

main().catch((error: unknown) => {
  fatal('beer-stream failed to start', error)
  process.exitCode = 1
})
