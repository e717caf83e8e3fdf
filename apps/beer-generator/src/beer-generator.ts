import { createBeerClient } from '@taproom/beer'
import { createHealth, healthRoutes, processCheck } from '@taproom/health'
import { createKafka, openOutgoing } from '@taproom/messaging'
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
import { startGenerator } from './generator.ts'

/** Writes a random beer of the remote list to Kafka at each tick. */
export const startBeerGenerator = ({ config, log, shutdown }: ServiceContext<Config>) =>
  assemble(async (use) => {
    const client = createBeerClient(config.beerService)
    const kafka = createKafka({ clientId: 'beer-generator', ...config.beers, log })
    const channel = use(openOutgoing(kafka, { channel: 'beers', ...config.beers }))
    const generator = use(startGenerator({ ...config, client, channel, log }))

    const health = createHealth({ readiness: [generator.check, channel.check], wellness: [processCheck()], shutdown })
    const metrics = createMetrics({ health })
    const help = 'Beers generated, by what became of them.'
    metrics.watch('beers_generated_total', { type: 'counter', help }, () => byTag('result', { ...channel.counters }))

    const routes = [healthRoutes(health, config.health), metrics.routes].map(forManagement)
    return use(await listen(createHttpApp({ log, metrics, routes }), config.http))
  })
