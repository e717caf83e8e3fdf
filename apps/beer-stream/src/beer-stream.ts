import { createBeerClient } from '@taproom/beer'
import { createHealth, type HealthCheck, processCheck } from '@taproom/health'
import { createKafka } from '@taproom/messaging'
import { assemble, createMetrics, listen, type ServiceContext } from '@taproom/service'
import { createApp } from './app.ts'
import { BeerHub } from './beer-hub.ts'
import type { Config } from './config.ts'
import { watchStream } from './metrics.ts'
import { openPricedBeerFeed } from './priced-beer-feed.ts'

/** Streams the priced beers of Kafka, and lists strong beers of the remote service. */
export const startBeerStream = ({ config, log, shutdown }: ServiceContext<Config>) =>
  assemble(async (use) => {
    const client = createBeerClient(config.beerService)
    const kafka = createKafka({ clientId: 'beer-stream', ...config.pricedBeers, log })
    const hub = new BeerHub({ itemWaitMs: config.itemWaitMs })
    const feed = use(openPricedBeerFeed(kafka, { hub, log, topic: config.pricedBeers.topic }))

    /** Never DOWN: slow clients and bad records are not this service's fault. */
    const stream: HealthCheck = {
      name: 'Priced beer stream',
      check: () => ({ status: 'UP', data: { ...hub.counters, malformed: feed.malformed } }),
    }
    const health = createHealth({
      liveness: [feed.liveness],
      readiness: [feed.check],
      wellness: [stream, processCheck()],
      shutdown,
    })
    const metrics = createMetrics({ health })
    watchStream(metrics, hub, feed)

    const app = createApp({ hub, client, health, healthRoutes: config.health, metrics, log })
    const server = use(await listen(app, config.http))
    // Disposed of first: the server drains only after the streams have ended.
    use(hub)
    return server
  })
