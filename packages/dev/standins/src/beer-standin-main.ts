import { runService } from '@taproom/service'
import { startBeerStandin } from './beer-standin.ts'
import { readBeers, readStandinConfig } from './standin-config.ts'

void runService('beer-standin', readStandinConfig, async ({ config }) => {
  const beers = await readBeers(config)
  const standin = await startBeerStandin({ ...config.http, beers })
  return { ...standin, details: { beers: beers?.length ?? 'shipped' } }
})
