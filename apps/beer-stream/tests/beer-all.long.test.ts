import { startHttpServer } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { startApp } from './start-app.ts'

it('decisions 1.47: an endless list of GET /beer/all is broken off at 1000 pages', async () => {
  await using beerService = await startHttpServer(
    (_req, res) => void res.end('[{"name":"Strong","tagline":"T.","abv":16}]'),
  )
  await using app = await startApp({ beerServiceUrl: beerService.url })
  await expect((await fetch(`${app.url}/beer/all`)).text()).rejects.toThrow()
  expect(beerService.requests).toHaveLength(1000)
})
