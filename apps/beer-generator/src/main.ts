import { once } from 'node:events'
import { createBeerClient } from '@taproom/beer'
import { createHealth, processCheck } from '@taproom/health'
import { createKafka, openOutgoing } from '@taproom/messaging'
import { createLogger, createMetrics, fatal, listen, shutdownSignal } from '@taproom/service'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { startGenerator } from './generator.ts'
import { watchBeers } from './metrics.ts'

async function main() {
  const config = readConfig(process.env)
  const log = createLogger('beer-generator', config.log)
  const shutdown = shutdownSignal(log, config.graceMs)

  const client = createBeerClient(config.beerService)
  const kafka = createKafka({ clientId: 'beer-generator', ...config.beers, log })
  await using channel = openOutgoing(kafka, { channel: 'beers', ...config.beers })
  await using generator = startGenerator({ ...config, client, channel, log })
  const health = createHealth({ readiness: [generator.check, channel.check], wellness: [processCheck()], shutdown })

  const metrics = createMetrics({ health })
  watchBeers(metrics, channel)
  const app = createApp({ health, healthRoutes: config.health, metrics, log })
  await using server = await listen(app, config.http)
  log.info({ port: server.port }, 'beer-generator ready')
  if (!shutdown.aborted) await once(shutdown, 'abort')
}

main().catch((error: unknown) => {
  fatal('beer-generator failed to start', error)
  process.exitCode = 1
})
