import { createPriceSource } from '@taproom/beer'
import { createHealth, healthRoutes, processCheck } from '@taproom/health'
import { createKafka, openTransform } from '@taproom/messaging'
import { assemble, createHttpApp, createMetrics, listen, type ServiceContext } from '@taproom/service'
import type { Config } from './config.ts'
import { watchPrices } from './metrics.ts'
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
        transform: pricing.price,
      }),
    )

    const health = createHealth({ readiness: [channel.check], wellness: [pricing.check, processCheck()], shutdown })
    const metrics = createMetrics({ health })
    watchPrices(metrics, channel)

    const app = createHttpApp({ log, metrics, routes: [healthRoutes(health, config.health), metrics.routes] })
    return use(await listen(app, config.http))
  })
