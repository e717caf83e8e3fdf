import { once } from 'node:events'
import { createPriceSource } from '@taproom/beer'
import { createHealth, processCheck } from '@taproom/health'
import { createKafka, openTransform } from '@taproom/messaging'
import { createLogger, createMetrics, fatal, listen, shutdownSignal } from '@taproom/service'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { watchPrices } from './metrics.ts'
import { createPricing } from './pricing.ts'

async function main() {
  const config = readConfig(process.env)
  const log = createLogger('price-generator', config.log)
  const shutdown = shutdownSignal(log, config.graceMs)

  const pricing = createPricing({ nextPrice: createPriceSource(config.prices), log })
  const kafka = createKafka({ clientId: 'price-generator', ...config.beers, log })
  await using channel = openTransform(kafka, {
    channel: 'priced-beer',
    inputTopic: config.beers.topic,
    outputTopic: config.pricedBeers.topic,
    groupId: config.beers.groupId,
    transactionalId: config.beers.groupId,
    from: config.beers.from,
    transform: pricing.price,
  })
  const health = createHealth({ readiness: [channel.check], wellness: [pricing.check, processCheck()], shutdown })

  const metrics = createMetrics({ health })
  watchPrices(metrics, channel)
  const app = createApp({ health, healthRoutes: config.health, metrics, log })
  await using server = await listen(app, config.http)
  log.info({ port: server.port }, 'price-generator ready')
  if (!shutdown.aborted) await once(shutdown, 'abort')
}

main().catch((error: unknown) => {
  fatal('price-generator failed to start', error)
  process.exitCode = 1
})
