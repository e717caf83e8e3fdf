import { createKafka, type IncomingMessage, openIncoming } from '@taproom/messaging'
import {
  bundled,
  freePort,
  readHealth,
  readMetric,
  startHttpServer,
  startKafka,
  startProcess,
  type TestProcess,
  waitFor,
} from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputOf, pagesWhileConnectingFails, plain, SECRET } from './secret-connections.ts'

const main = await bundled(new URL('../src/main.ts', import.meta.url))
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

const catalogue = Array.from({ length: 12 }, (_, i) => ({
  id: i,
  name: `Beer ${i}`,
  tagline: `T${i}.`,
  abv: i / 2,
  ph: 5,
}))

/** A beer service with five beers a page. */
const startBeerService = (port = 0) =>
  startHttpServer(
    (req, res) => {
      const page = Number(new URL(req.url ?? '', 'http://a').searchParams.get('page'))
      res.end(JSON.stringify(catalogue.slice((page - 1) * 5, page * 5)))
    },
    { port },
  )

async function readBeers(bootstrapServers: string) {
  const messages: IncomingMessage[] = []
  const kafka = createKafka({ clientId: 'test', bootstrapServers, log: quiet })
  const channel = openIncoming(kafka, {
    channel: 'beer',
    from: 'earliest',
    onMessage: (message) => void messages.push(message),
  })
  await channel.assigned
  return { messages, [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose]() }
}

describe('the beer-generator process', () => {
  const resources = new AsyncDisposableStack()
  let beerPort: number
  let bootstrapServers: string
  let generator: TestProcess
  beforeAll(async () => {
    beerPort = await freePort()
    bootstrapServers = resources.use(await startKafka()).bootstrapServers
    generator = resources.use(
      startProcess(main, {
        KAFKA_BOOTSTRAP_SERVERS: bootstrapServers,
        BEER_SERVICE_URL: `http://127.0.0.1:${beerPort}`,
        BEER_INTERVAL_MS: '5',
        BEER_SERVICE_TIMEOUT_MS: '60000',
      }),
    )
  })
  afterAll(() => resources.disposeAsync())

  it('decisions 1.49, 1.50: starts alone, not ready but alive', async () => {
    const url = await generator.url()
    expect((await readHealth(url, 'live')).status).toBe(200)
    expect(await readHealth(url, 'ready')).toMatchObject({ status: 503, checks: { 'Beer list': { status: 'DOWN' } } })
  })

  it('contract 6.2, decisions 2.9: publishes, as soon as there are beers, random picks of the first 10 to the topic beer, keyed by name', async () => {
    await using beerService = await startBeerService(beerPort)
    await using beers = await readBeers(bootstrapServers)
    await waitFor('200 beers', () => beers.messages.length >= 200)
    const url = await generator.url()
    await waitFor('readiness', async () => (await readHealth(url, 'ready')).status === 200)
    expect(await readHealth(url, 'ready')).toMatchObject({ checks: { 'Beer list': { data: { beers: 10 } } } })
    expect(await readMetric(url, 'beers_generated_total{result="sent"}')).toBeGreaterThanOrEqual(200)
    // It ends with 1 when its grace is over.
    expect(await generator.stop()).toBe(0)

    expect(beerService.requests.map((request) => request.url)).toEqual(['/beers?page=1', '/beers?page=2'])
    const names = new Set(beers.messages.map(({ key }) => String(key)))
    expect([...names].toSorted()).toEqual(
      catalogue
        .slice(0, 10)
        .map(({ name }) => name)
        .toSorted(),
    )
    for (const { key, value } of beers.messages.slice(0, 20)) {
      const { name, tagline, abv } = catalogue.find((beer) => beer.name === String(key)) ?? {}
      expect(String(value)).toBe(JSON.stringify({ name, tagline, abv }))
    }
  })
})

describe('the beer-generator process without Kafka', () => {
  const resources = new AsyncDisposableStack()
  let generator: TestProcess
  beforeAll(async () => {
    const beerService = resources.use(await startBeerService())
    generator = resources.use(
      startProcess(main, {
        ...plain,
        KAFKA_BOOTSTRAP_SERVERS: `127.0.0.1:${await freePort()}`,
        BEER_SERVICE_URL: beerService.url,
        BEER_INTERVAL_MS: '20',
        LOG_LEVEL: 'trace',
      }),
    )
  })
  afterAll(() => resources.disposeAsync())

  it('decisions 3.29: has its password in no line, health answer or metric while all attempts to connect fail', async () => {
    const pages = await pagesWhileConnectingFails(generator)
    expect([outputOf(generator), ...pages].join('\n')).not.toContain(SECRET)
  })

  it('decisions 1.50: drops beers while Kafka is away, and stops in time nevertheless', async () => {
    const url = await generator.url()
    await waitFor('drops', () => generator.lines.some(({ msg }) => msg === 'beers are dropped, kafka is not ready'))
    expect(await readMetric(url, 'beers_generated_total{result="dropped"}')).toBeGreaterThan(0)
    expect((await readHealth(url, 'ready')).status).toBe(503)
    expect((await readHealth(url, 'live')).status).toBe(200)
    // It ends with 1 when its grace is over.
    expect(await generator.stop()).toBe(0)
    expect(outputOf(generator)).not.toContain(SECRET)
  })
})
