import { freePort, readHealth, readMetric, readSse, startHttpServer, startKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beer, clientsOf, openClient, openTopic, readyUrl, startStream } from './stream-process.ts'

type Topic = ReturnType<typeof openTopic>
type Stream = ReturnType<typeof startStream>

/** A client that is counted: it gets what comes from now on. */
async function openCountedClient(url: string) {
  // Those of earlier tests have left, which it may not have noticed yet.
  await waitFor('no client', async () => (await clientsOf(url))?.clients === 0, { intervalMs: 600 })
  const client = openClient(url)
  await waitFor('the client', async () => (await clientsOf(url))?.clients === 1, { intervalMs: 600 })
  return client
}

describe('the beer-stream process', () => {
  const resources = new AsyncDisposableStack()
  let topic: Topic
  let stream: Stream
  let begin: () => Stream

  /** The beer that was written before it started is part of the tests. */
  beforeAll(async () => {
    const kafka = resources.use(await startKafka())
    topic = resources.use(openTopic(kafka.bootstrapServers))
    await topic.publish(beer('old'))
    begin = () => resources.use(startStream(kafka))
    stream = begin()
  })
  afterAll(() => resources.disposeAsync())

  it('contract 4.4: streams what is written to priced-beer; decisions 1.44: skips and counts what is malformed', async () => {
    const url = await readyUrl(stream)
    await using client = await openCountedClient(url)
    await topic.publish(beer('first'), 'no JSON', '{"name":"x"}', '{"price":1}', beer('second'))
    await waitFor('both beers', () => client.events.length >= 2)
    expect(client.events[0]?.data).toBe('{"name":"first","price":3.50}')
    expect(client.names()).toEqual(['first', 'second'])
    await waitFor('the count', async () => (await clientsOf(url))?.malformed === 3, { intervalMs: 600 })
    expect(await readMetric(url, 'beer_stream_clients')).toBe(1)
    expect(await readMetric(url, 'beer_stream_malformed_total')).toBe(3)
  })

  it('decisions 1.43: resumes a client without a gap after it was killed and started again', async () => {
    let lastEventId: string | undefined
    {
      const url = await readyUrl(stream)
      await using client = await openCountedClient(url)
      await topic.publish(beer('1'), beer('2'))
      await waitFor('two beers', () => client.events.length >= 2)
      lastEventId = client.events[0]?.id
      await stream[Symbol.asyncDispose]()
    }
    await topic.publish(beer('3'), beer('4'))
    stream = begin()
    await using client = openClient(await stream.url(), lastEventId)
    await waitFor('what was missed', () => client.events.length >= 3)
    await topic.publish(beer('5'))
    await waitFor('what is new', () => client.events.length >= 4)
    expect(client.names()).toEqual(['2', '3', '4', '5'])
  })

  it('decisions 1.75: ends its streams and exits with 0 within its grace on SIGTERM', async () => {
    const url = await readyUrl(stream)
    await using client = await openCountedClient(url)
    // It ends with 1 when its grace is over.
    expect(await stream.stop()).toBe(0)
    await client.ended
    expect(client.events).toEqual([])
  })
})

describe('the beer-stream process without Kafka', () => {
  const resources = new AsyncDisposableStack()
  let stream: Stream
  beforeAll(async () => {
    const beerService = resources.use(
      await startHttpServer((req, res) => {
        res.end(req.url === '/beers?page=1' ? '[{"name":"Strong","tagline":"T.","abv":16}]' : '[]')
      }),
    )
    const env = { BEER_SERVICE_URL: beerService.url, BEER_ITEM_WAIT_MS: '50' }
    stream = resources.use(startStream({ bootstrapServers: `127.0.0.1:${await freePort()}` }, env))
  })
  afterAll(() => resources.disposeAsync())

  it('serves /beer/all', async () => {
    const response = await fetch(`${await stream.url()}/beer/all`)
    expect(await response.json()).toEqual([{ name: 'Strong', tagline: 'T.', abv: 16 }])
  })

  it('decisions 1.39: is alive, not ready, its streams fail, and it stops in time', async () => {
    const url = await stream.url()
    expect((await readHealth(url, 'live')).status).toBe(200)
    expect((await readHealth(url, 'ready')).status).toBe(503)
    const events = await Array.fromAsync(readSse(`${url}/beer`))
    expect(events.map(({ event }) => event)).toEqual(['stream-error'])
    // It ends with 1 when its grace is over.
    expect(await stream.stop()).toBe(0)
  })
})
