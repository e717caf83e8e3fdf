import {
  freePort,
  readHealth,
  readMetric,
  readSse,
  startHttpServer,
  startKafka,
  startProcess,
  waitFor,
} from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { beer, clientsOf, main, openClient, openTopic, readyUrl, startStream } from './stream-process.ts'

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
