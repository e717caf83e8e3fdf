import { createPriceSource } from '@taproom/beer'
import { createHealth, healthRoutes, processCheck } from '@taproom/health'
import { createKafka, openTransform, type TransformCounters } from '@taproom/messaging'
import {
  assemble,
  byTag,
  createHttpApp,
  createMetrics,
  forManagement,
  listen,
  type ServiceContext,
} from '@taproom/service'
import type { Config } from './config.ts'
import { createPricing } from './pricing.ts'

/** Gives each beer of one topic a price, in another one. */
export const startPriceGenerator = ({ config, log, shutdown }: ServiceContext<Config>) =>
  assemble(async (use) => {
    const pricing = createPricing({ nextPrice: createPriceSource(config.prices), log })
    const kafka = createKafka({ clientId: 'price-generator', ...config.beers, log })
    const channel = use(
      openTransform(kafka, {
        channel: 'priced-beer',
        inputTopic: config.beers.topic,
        outputTopic: config.pricedBeers.topic,
        groupId: config.beers.groupId,
        transactionalId: config.beers.groupId,
        from: config.beers.from,
        failureStrategy: config.beers.failureStrategy,
        compression: config.pricedBeers.compression,
        transform: pricing.price,
      }),
    )

    const health = createHealth({
      liveness: [channel.liveness],
      readiness: [channel.check],
      wellness: [pricing.check, processCheck()],
      shutdown,
    })
    const metrics = createMetrics({ health })
    metrics.watch('beers_read_total', { type: 'counter', help: 'Messages read, by what became of them.' }, () =>
      byTag('result', results(channel.counters)),
    )
    metrics.watch('price_transactions_aborted_total', { type: 'counter', help: 'Transactions done again.' }, () => [
      { tags: {}, value: channel.counters.aborted },
    ])

    const routes = [healthRoutes(health, config.health), metrics.routes].map(forManagement)
    return use(await listen(createHttpApp({ log, metrics, routes }), config.http))
  })

function results({ produced: priced, skipped, failed, unreadable, refused }: TransformCounters) {
  return { priced, skipped, failed, unreadable, refused }
}
