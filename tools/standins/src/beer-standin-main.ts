import { runService } from '@taproom/service'
import { BEER_SHAPE } from './beer-catalogue.ts'
import { startBeerStandin } from './beer-standin.ts'
import { readStandinConfig } from './standin-config.ts'
import { readStandinFile } from './standin-data.ts'

void runService('beer-standin', readStandinConfig('BEER_STANDIN_DATA'), async ({ config }) => {
  const beers = await readStandinFile({ ...config.data, record: 'beer', shape: BEER_SHAPE })
  const standin = await startBeerStandin({ ...config.http, hasControl: config.hasControl, beers })
  return { ...standin, details: { beers: beers?.length ?? 'shipped' } }
})
