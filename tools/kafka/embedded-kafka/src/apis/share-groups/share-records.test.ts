import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { append, given, ShareClient } from '../../../tests/share-client.ts'

/** Codes and offsets here were compared with Apache Kafka 4.1.0's to the same requests. */
describe('decisions 3.88: the records of share groups', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'share-records-'))
  let broker: SoleBroker
  let one: ShareClient
  let two: ShareClient

  const open = () => {
    broker = openTestBroker({ dataDir })
    one = new ShareClient(broker, 'one')
    two = new ShareClient(broker, 'two')
  }

  beforeEach(async () => {
    open()
    broker.topics.create('t')
    broker.groups.consumers.configs.configure('g', { 'share.auto.offset.reset': 'earliest' })
    await one.joins()
  })
  afterEach(() => {
    broker.close()
    rmSync(dataDir, { recursive: true })
  })

  it('go to one member each, batch by batch', async () => {
    append(broker, 10)
    append(broker, 10)
    append(broker, 10)
    expect(given(await one.fetch([], { maxRecords: 5 }))).toEqual(['0-9×1'])
    expect(given(await two.fetch([], { maxRecords: 11 }))).toEqual(['10-29×1'])
    expect(given(await one.fetch())).toEqual([])
    for (let count = 0; count < 5; count += 1) append(broker, 10)
    expect(given(await one.fetch([], { batchSize: 15 }))).toEqual(['30-49×1', '50-69×1', '70-79×1'])
    expect(given(await two.fetch([], { maxRecords: 0 }))).toEqual([])
  })

  it('are accepted, rejected, and given to others when they are released', async () => {
    append(broker, 10)
    await one.fetch()
    expect(
      await one.acknowledge([
        [2, 4, 2],
        [6, 6, 2],
      ]),
    ).toEqual([0])
    expect(given(await two.fetch())).toEqual(['2-4×2', '6-6×2'])
    expect(await one.offsets()).toEqual([0])
    expect(
      await one.acknowledge([
        [0, 1, 0],
        [5, 5, 1],
        [7, 9, 1, 3, 1],
      ]),
    ).toEqual([0])
    expect(await one.offsets()).toEqual([2])
    expect(
      given(
        await two.fetch([
          [2, 4, 1],
          [6, 6, 1],
        ]),
      ),
    ).toEqual([])
    expect(await one.offsets()).toEqual([10])
  })

  it('are sent with their batch, without those before and behind', async () => {
    append(broker, 2)
    append(broker, 2)
    append(broker, 2)
    await one.fetch()
    await one.acknowledge([[2, 3, 2]])
    const { topics } = await two.fetch()
    const records = topics[0]?.partitions[0]?.records
    expect(records?.readBigInt64BE(0)).toBe(2n)
    expect(records?.readInt32BE(8)).toBe((records?.length ?? 0) - 12)
  })

  it('are delivered five times at most', async () => {
    append(broker, 2)
    expect(given(await one.fetch())).toEqual(['0-1×1'])
    for (const delivery of [2, 3, 4, 5]) expect(given(await one.fetch([[0, 1, 2]]))).toEqual([`0-1×${delivery}`])
    expect(given(await one.fetch([[0, 1, 2]]))).toEqual([])
    expect(given(await one.fetch())).toEqual([])
    expect(await one.offsets()).toEqual([2])
  })

  it('go to another member when their lock has run out', async () => {
    append(broker, 2)
    await one.fetch()
    broker.clock.advance(29_000)
    const waiting = two.fetch([], { maxWaitMs: 60_000 })
    broker.clock.advance(2000)
    expect(given(await waiting)).toEqual(['0-1×2'])
    expect(await one.acknowledge([[0, 1, 1]])).toEqual([121])
    expect(await two.acknowledge([[0, 1, 1]])).toEqual([0])
  })

  it('are locked for as long as the group says', async () => {
    broker.groups.consumers.configs.configure('g', {
      'share.auto.offset.reset': 'earliest',
      'share.record.lock.duration.ms': '1000',
    })
    append(broker, 1)
    expect(await one.fetch()).toMatchObject({ acquisitionLockTimeoutMs: 1000 })
    broker.clock.advance(1100)
    expect(given(await two.fetch())).toEqual(['0-0×2'])
  })

  it('wait for members, and members for them', async () => {
    const waiting = one.fetch([], { maxWaitMs: 60_000, minBytes: 1000 })
    append(broker, 1, { bytes: 400 })
    append(broker, 1, { bytes: 700 })
    expect(given(await waiting)).toEqual(['0-1×1'])
  })

  it('are released at the end of a session, and the delivery does not count', async () => {
    append(broker, 2)
    expect(given(await one.fetch())).toEqual(['0-1×1'])
    one.breaks()
    expect(given(await two.fetch())).toEqual(['0-1×1'])
    await two.closes()
    expect(given(await two.fetch())).toEqual(['0-1×1'])
    expect(given(await new ShareClient(broker, 'one').fetch([], { shareSessionEpoch: -1 }))).toEqual(['error 122'])
  })

  it('are not given to a client that is gone', async () => {
    const waiting = one.fetch([], { maxWaitMs: 60_000 })
    one.breaks()
    expect(given(await waiting)).toEqual([])
    append(broker, 1)
    expect(given(await two.fetch())).toEqual(['0-0×1'])
  })

  it.each([
    ['an order that is none', [[2, 1, 1]], 42],
    ['no type', [[0, 0]], 42],
    ['more types than offsets', [[0, 1, 1, 1, 1]], 42],
    ['a type that is not known', [[0, 0, 4]], 42],
    [
      'batches that go back',
      [
        [1, 1, 1],
        [0, 0, 1],
      ],
      42,
    ],
    [
      'an offset twice',
      [
        [0, 1, 1],
        [1, 2, 1],
      ],
      121,
    ],
    ['an end beyond what was acquired', [[0, 5, 1]], 42],
    ['offsets beyond what was acquired', [[5, 6, 1]], 42],
  ] as const)('stay with a member that acknowledges %s', async (_name, batches, errorCode) => {
    append(broker, 3)
    await one.fetch()
    expect(await one.acknowledge(batches)).toEqual([errorCode])
    expect(await one.acknowledge([[-1, 0, 1]])).toEqual([0])
    expect(
      await one.acknowledge([
        [0, 0, 1],
        [1, 2, 2, 3],
      ]),
    ).toEqual([0])
    expect(await one.acknowledge([[0, 0, 1]])).toEqual([0])
    expect(await one.acknowledge([[1, 1, 1]])).toEqual([121])
  })

  it('are acknowledged by their member only', async () => {
    append(broker, 3)
    await two.fetch()
    expect(await two.acknowledge([[0, 0, 1]])).toEqual([0])
    await one.fetch()
    expect(await one.acknowledge([[1, 1, 1]])).toEqual([121])
  })

  it('are fetched in sessions, which go on with the next epoch', async () => {
    append(broker, 1)
    expect(given(await one.fetch([[0, 0, 1]]))).toEqual(['error 42'])
    const late = new ShareClient(broker, 'late')
    expect(await late.acknowledge([], 0)).toEqual([123])
    expect(await late.acknowledge([], 5)).toEqual([122])
    expect(given(await late.fetch([], { shareSessionEpoch: 0 }))).toEqual(['0-0×1'])
    expect(given(await late.fetch([], { shareSessionEpoch: 7 }))).toEqual(['error 123'])
    expect(given(await late.fetch([], { shareSessionEpoch: 1, forgottenTopics: [] }))).toEqual([])
    expect(given(await late.fetch([], { shareSessionEpoch: 2, memberId: null }))).toEqual(['error 42'])
  })

  it('of topics that are not there, or that the group has not, are refused', async () => {
    expect(given(await new ShareClient(broker, 'one', 'nowhere').fetch())).toEqual(['error 100'])
    broker.topics.create('other')
    expect(given(await new ShareClient(broker, 'one', 'other').fetch())).toEqual(['error 3'])
  })
})
