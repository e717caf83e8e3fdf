import { once } from 'node:events'
import { createLogger, fatal, shutdownSignal } from '@taproom/service'
import { startBeerStandin } from './standins/beer-standin.ts'
import { readBeers, readStandinConfig } from './standins/standin-config.ts'

async function main(): Promise<void> {
  const config = readStandinConfig(process.env)
  const beers = await readBeers(config)
  const log = createLogger('beer-standin', config.log)
  const shutdown = shutdownSignal(log, config.graceMs)

  await using standin = await startBeerStandin({ ...config.http, beers })
  log.info({ port: standin.port, beers: beers?.length ?? 'shipped' }, 'beer-standin ready')
  if (!shutdown.aborted) await once(shutdown, 'abort')
}

main().catch((error: unknown) => {
  fatal('beer-standin failed to start', error)
  process.exitCode = 1
})
