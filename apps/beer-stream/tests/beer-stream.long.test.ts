import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { readHealth, startKafka, startProcess, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { beer, clientsOf, main, openClient, openTopic, readyUrl, startStream } from './stream-process.ts'

describe('the beer-stream process', () => {
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

  it('goes on without a restart when Kafka was away, and is not ready but alive meanwhile', async () => {
    await using resources = new AsyncDisposableStack()
    const dataDir = await mkdtemp(join(tmpdir(), 'beer-stream-'))
    resources.defer(() => rm(dataDir, { recursive: true }))
    const kafka = await startEmbeddedKafka({ dataDir })
    await using topic = openTopic(kafka.bootstrapServers)
    await using stream = startStream(kafka)
    const url = await readyUrl(stream)
    {
      await using early = openClient(url)
      await waitFor('the early client', async () => (await clientsOf(url))?.clients === 1, { intervalMs: 600 })
      await topic.publish(beer('before'))
      await waitFor('its beer', () => early.events.length > 0)
    }

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

  it('ends with 1 and one line that names every invalid variable', async () => {
    await using stream = startProcess(main, { BEER_ITEM_WAIT_MS: 'long' })
    expect(await stream.end()).toBe(1)
    expect(stream.errors).toHaveLength(1)
    for (const name of ['BEER_SERVICE_URL', 'BEER_ITEM_WAIT_MS']) expect(stream.errors[0]).toContain(name)
  })
})
