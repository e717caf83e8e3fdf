import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { createKafka, openOutgoing } from '@taproom/messaging'
import {
  freePort,
  readHealth,
  readMetric,
  readSse,
  startHttpServer,
  startKafka,
  startProcess,
  type TestProcess,
  waitFor,
} from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const main = new URL('../src/main.ts', import.meta.url)
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Writes to the topic `priced-beer`. */
function openTopic(bootstrapServers: string) {
  const kafka = createKafka({ clientId: 'test', bootstrapServers, log: quiet })
  const channel = openOutgoing(kafka, { channel: 'priced-beer', timeoutMs: 90_000 })
  return {
    publish: async (...values: string[]) => {
      for (const value of values) await channel.send({ key: 'k', value })
    },
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  }
}

const beer = (name: string) => `{"name":"${name}","price":3.5}`

/** The app over a Kafka, with a beer service that is not there. */
const startStream = (kafka: { bootstrapServers: string }, env: Record<string, string> = {}) =>
  startProcess(main, {
    KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers,
    BEER_SERVICE_URL: 'http://127.0.0.1:9',
    BEER_ITEM_WAIT_MS: '120000',
    ...env,
  })

async function readyUrl(stream: TestProcess): Promise<string> {
  const url = await stream.url()
  await waitFor('readiness', async () => (await readHealth(url, 'ready')).status === 200)
  return url
}

/** Keeps what it receives until it is disposed of. */
function openClient(url: string, lastEventId?: string) {
  const stop = new AbortController()
  const events: { id: string | undefined; data: string }[] = []
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const reading = (async () => {
    for await (const event of readSse(`${url}/beer`, { headers, signal: stop.signal })) events.push(event)
  })()
  return {
    names: () => events.map(({ data }) => JSON.parse(data).name as string),
    events,
    ended: reading,
    async [Symbol.asyncDispose]() {
      stop.abort()
      // A killed server breaks the connection.
      await reading.catch(() => undefined)
    },
  }
}

const clientsOf = async (url: string) => {
  const { checks } = await readHealth(url, 'well')
  return checks['Priced beer stream']?.data as { clients: number; malformed: number } | undefined
}

describe('the beer-stream process', () => {
  it('contract 4.4: streams what is written to priced-beer; decisions 1.44: skips and counts what is malformed', async () => {
    await using kafka = await startKafka()
    await using topic = openTopic(kafka.bootstrapServers)
    await topic.publish(beer('old'))
    await using stream = startStream(kafka)
    const url = await readyUrl(stream)
    await using client = openClient(url)
    await waitFor('the client', async () => (await clientsOf(url))?.clients === 1, { intervalMs: 600 })
    await topic.publish(beer('first'), 'no JSON', '{"name":"x"}', '{"price":1}', beer('second'))
    await waitFor('both beers', () => client.events.length >= 2)
    expect(client.events[0]?.data).toBe('{"name":"first","price":3.50}')
    expect(client.names()).toEqual(['first', 'second'])
    await waitFor('the count', async () => (await clientsOf(url))?.malformed === 3, { intervalMs: 600 })
    expect(await readMetric(url, 'beer_stream_clients')).toBe(1)
    expect(await readMetric(url, 'beer_stream_malformed_total')).toBe(3)
    // It ends with 1 when its grace is over.
    expect(await stream.stop()).toBe(0)
    await client.ended
  })

  it('decisions 1.43: resumes a client without a gap after it was killed and started again', async () => {
    await using kafka = await startKafka()
    await using topic = openTopic(kafka.bootstrapServers)
    let lastEventId: string | undefined
    {
      await using stream = startStream(kafka)
      const url = await readyUrl(stream)
      await using client = openClient(url)
      await waitFor('the client', async () => (await clientsOf(url))?.clients === 1, { intervalMs: 600 })
      await topic.publish(beer('1'), beer('2'))
      await waitFor('two beers', () => client.events.length >= 2)
      lastEventId = client.events[0]?.id
    }
    await topic.publish(beer('3'), beer('4'))
    await using stream = startStream(kafka)
    const url = await stream.url()
    await using client = openClient(url, lastEventId)
    await waitFor('what was missed', () => client.events.length >= 3)
    await topic.publish(beer('5'))
    await waitFor('what is new', () => client.events.length >= 4)
    expect(client.names()).toEqual(['2', '3', '4', '5'])
  })

  it('gives every beer to the clients of every instance', async () => {
    await using kafka = await startKafka()
    await using topic = openTopic(kafka.bootstrapServers)
    await using one = startStream(kafka)
    await using two = startStream(kafka)
    const urls = [await readyUrl(one), await readyUrl(two)]
    await using first = openClient(urls[0] ?? '')
    await using second = openClient(urls[1] ?? '')
    for (const url of urls) {
      await waitFor('the client', async () => (await clientsOf(url))?.clients === 1, { intervalMs: 600 })
    }
    await topic.publish(beer('1'), beer('2'), beer('3'))
    for (const client of [first, second]) {
      await waitFor('three beers', () => client.events.length >= 3)
      expect(client.names()).toEqual(['1', '2', '3'])
    }
  })

  it('decisions 1.39: without Kafka it is alive, not ready, its streams fail, and it stops in time', async () => {
    await using stream = startStream({ bootstrapServers: `127.0.0.1:${await freePort()}` }, { BEER_ITEM_WAIT_MS: '50' })
    const url = await stream.url()
    expect((await readHealth(url, 'live')).status).toBe(200)
    expect((await readHealth(url, 'ready')).status).toBe(503)
    const events = await Array.fromAsync(readSse(`${url}/beer`))
    expect(events.map(({ event }) => event)).toEqual(['stream-error'])
    // It ends with 1 when its grace is over.
    expect(await stream.stop()).toBe(0)
  })

  it('goes on without a restart when Kafka was away, and is not ready but alive meanwhile', async () => {
    await using resources = new AsyncDisposableStack()
    const dataDir = await mkdtemp(join(tmpdir(), 'beer-stream-'))
    resources.defer(() => rm(dataDir, { recursive: true }))
    const kafka = await startEmbeddedKafka({ dataDir })
    await using topic = openTopic(kafka.bootstrapServers)
    await using stream = startStream(kafka)
    const url = await readyUrl(stream)
    await topic.publish(beer('before'))

    await kafka[Symbol.asyncDispose]()
    await waitFor('readiness to end', async () => (await readHealth(url, 'ready')).status === 503)
    expect((await readHealth(url, 'live')).status).toBe(200)

    resources.use(await startEmbeddedKafka({ dataDir, port: kafka.port }))
    await readyUrl(stream)
    await using client = openClient(url)
    await waitFor('the client', async () => (await clientsOf(url))?.clients === 1, { intervalMs: 600 })
    await waitFor('the topic', () => topic.publish(beer('after')).then(() => true))
    await waitFor('the beer', () => client.events.length > 0)
    expect(client.names()).toEqual(['after'])
  })

  it('serves /beer/all whether Kafka is there or not', async () => {
    await using beerService = await startHttpServer((req, res) => {
      res.end(req.url === '/beers?page=1' ? '[{"name":"Strong","tagline":"T.","abv":16}]' : '[]')
    })
    await using stream = startStream(
      { bootstrapServers: `127.0.0.1:${await freePort()}` },
      { BEER_SERVICE_URL: beerService.url },
    )
    const response = await fetch(`${await stream.url()}/beer/all`)
    expect(await response.json()).toEqual([{ name: 'Strong', tagline: 'T.', abv: 16 }])
  })

  it('decisions 1.75: ends its streams and exits with 0 within its grace on SIGTERM', async () => {
    await using kafka = await startKafka()
    await using stream = startStream(kafka)
    const url = await readyUrl(stream)
    await using client = openClient(url)
    await waitFor('the client', async () => (await clientsOf(url))?.clients === 1, { intervalMs: 600 })
    // It ends with 1 when its grace is over.
    expect(await stream.stop()).toBe(0)
    await client.ended
    expect(client.events).toEqual([])
  })

  it('ends with 1 and one line that names every invalid variable', async () => {
    await using stream = startProcess(main, { BEER_ITEM_WAIT_MS: 'long' })
    expect(await stream.end()).toBe(1)
    expect(stream.errors).toHaveLength(1)
    for (const name of ['BEER_SERVICE_URL', 'BEER_ITEM_WAIT_MS']) expect(stream.errors[0]).toContain(name)
  })
})
