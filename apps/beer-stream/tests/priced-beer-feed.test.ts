import { createKafka, openOutgoing } from '@taproom/messaging'
import { startKafka, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import type { BeerRecord } from '../src/beer-hub-options.ts'
import { openPricedBeerFeed } from '../src/priced-beer-feed.ts'
import type { PartitionRange } from '../src/replay-ring.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const signal = new AbortController().signal

describe('openPricedBeerFeed', () => {
  it('begins so many messages before the end and goes on with what is written', async () => {
    await using broker = await startKafka()
    const kafka = createKafka({ clientId: 'test', bootstrapServers: broker.bootstrapServers, log: quiet })
    await using topic = openOutgoing(kafka, { channel: 'priced-beer', timeoutMs: 90_000 })
    const write = (offset: number) => topic.send({ value: `{"name":"Ale ${offset}","price":1}` })
    for (let offset = 0; offset < 20; offset += 1) await write(offset)

    const ranges: PartitionRange[] = []
    const records: BeerRecord[] = []
    const hub = {
      begin: (all: readonly PartitionRange[]) => void ranges.push(...all),
      publish: (record: BeerRecord) => void records.push(record),
    }
    await using feed = openPricedBeerFeed(kafka, { hub, log: quiet as never, replay: 5 })
    await waitFor('what was there', () => records.length >= 5)
    await write(20)
    await waitFor('what is new', () => records.length >= 6)
    expect(ranges).toEqual([{ partition: 0, from: 15n, end: 20n }])
    expect(records.map(({ offset }) => offset)).toEqual([15n, 16n, 17n, 18n, 19n, 20n])
    expect(records.at(-1)).toMatchObject({ name: 'Ale 20', price: 1, partition: 0, timestamp: expect.any(Number) })
    expect(await feed.check.check(signal)).toMatchObject({ status: 'UP' })
    expect(await feed.liveness.check(signal)).toMatchObject({ status: 'UP' })
  })

  it('decisions 1.44: passes over records that cannot be decoded, and counts them', async () => {
    await using broker = await startKafka()
    const kafka = createKafka({ clientId: 'test', bootstrapServers: broker.bootstrapServers, log: quiet })
    await using topic = openOutgoing(kafka, { channel: 'priced-beer', timeoutMs: 90_000 })
    const records: BeerRecord[] = []
    const hub = { begin: () => undefined, publish: (record: BeerRecord) => void records.push(record) }
    await using feed = openPricedBeerFeed(kafka, { hub, log: quiet as never })
    const headers = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`h${index}`, 'x']))
    await topic.send({ value: '{"name":"Ale","price":1}', headers })
    await topic.send({ value: '{"name":"Stout","price":1}' })
    await waitFor('the beer after it', () => records.length > 0)
    expect(records).toMatchObject([{ name: 'Stout' }])
    expect(feed.malformed).toBe(1)
    expect(await feed.liveness.check(signal)).toMatchObject({ status: 'UP', data: { unreadable: 1 } })
  })

  it('decisions 3.170: has the reason in its check while Kafka cannot be reached', async () => {
    const kafka = createKafka({ clientId: 'test', bootstrapServers: '127.0.0.1:1', log: quiet })
    const hub = { begin: () => undefined, publish: () => undefined }
    await using feed = openPricedBeerFeed(kafka, { hub, log: quiet as never })
    const error = expect.stringContaining('ECONNREFUSED 127.0.0.1:1')
    await waitFor('the reason', async () => {
      const { data } = await feed.check.check(signal)
      return data?.['error'] !== 'kafka has not answered yet'
    })
    expect(await feed.check.check(signal)).toEqual({ status: 'DOWN', data: { error } })
  })

  it('creates the topic when it is missing', async () => {
    await using broker = await startKafka()
    const kafka = createKafka({ clientId: 'test', bootstrapServers: broker.bootstrapServers, log: quiet })
    const ranges = Promise.withResolvers<readonly PartitionRange[]>()
    const hub = { begin: ranges.resolve, publish: () => undefined }
    await using _feed = openPricedBeerFeed(kafka, { hub, log: quiet as never })
    expect(await ranges.promise).toEqual([{ partition: 0, from: 0n, end: 0n }])
  })
})
