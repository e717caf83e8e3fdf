import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { append, given, ShareClient } from '../../../tests/share-client.ts'
import { shareFetch } from './share-fetch.ts'

/** Codes and offsets here were compared with Apache Kafka 4.1.0's to the same requests. */
describe('decisions 3.88: where share groups are', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'share-offsets-'))
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

  it('that were deleted are passed by', async () => {
    for (let count = 0; count < 3; count += 1) append(broker, 5)
    expect(given(await one.fetch([], { maxRecords: 5 }))).toEqual(['0-4×1'])
    broker.leading('t', 0).advanceStart(8)
    expect(given(await one.fetch())).toEqual(['8-14×1'])
    expect(await one.acknowledge([[0, 4, 1]])).toEqual([0])
    expect(await one.acknowledge([[8, 14, 1]])).toEqual([0])
    expect(await one.offsets()).toEqual([15])
  })

  it('in flight are 2000 at most, counted from the first', async () => {
    for (let count = 0; count < 30; count += 1) append(broker, 100)
    expect(given(await one.fetch([], { maxRecords: 1990, batchSize: 10_000 }))).toEqual(['0-1999×1'])
    expect(given(await two.fetch())).toEqual([])
    await one.acknowledge([[100, 1999, 1]])
    expect(given(await two.fetch())).toEqual([])
    await one.acknowledge([[0, 0, 2]])
    expect(given(await two.fetch())).toEqual(['0-0×2'])
    await one.acknowledge([[1, 99, 1]])
    await two.acknowledge([[0, 0, 1]])
    expect(given(await two.fetch([], { maxRecords: 50 }))).toEqual(['2000-2099×1'])
  })

  it.each([
    ['latest', 3],
    ['by_duration:PT1H', 1],
  ])('begin at %s', async (reset, startOffset) => {
    const now = broker.now()
    append(broker, 1, { timestamp: now - 7_200_000 })
    append(broker, 1, { timestamp: now - 1_800_000 })
    append(broker, 1, { timestamp: now })
    broker.groups.consumers.configs.configure('g', { 'share.auto.offset.reset': reset })
    await one.fetch()
    append(broker, 1, { timestamp: now })
    await one.fetch()
    await one.closes()
    expect(given(await one.fetch())).toEqual([`${startOffset}-3×1`])
  })

  it('of open and aborted transactions are left out where the group wants it', async () => {
    broker.groups.consumers.configs.configure('g', {
      'share.auto.offset.reset': 'earliest',
      'share.isolation.level': 'read_committed',
    })
    const inTransaction = { producerId: 7, producerEpoch: 0, transactional: true }
    const end = (outcome: 'abort' | 'commit') =>
      broker.leading('t', 0).endTransaction({ producerId: 7, producerEpoch: 0, outcome, timestamp: 1000 })
    append(broker, 2, { ...inTransaction, baseSequence: 0 })
    expect(given(await one.fetch())).toEqual([])
    end('abort')
    append(broker, 1, { ...inTransaction, baseSequence: 2 })
    end('commit')
    // With the markers, which no client shows.
    expect(given(await one.fetch())).toEqual(['2-4×1'])
    await one.acknowledge([
      [2, 2, 0],
      [3, 3, 1],
      [4, 4, 0],
    ])
    expect(await one.offsets()).toEqual([5])
  })

  it('are where they were after a restart; what members had goes to others', async () => {
    append(broker, 6)
    await one.fetch()
    await one.acknowledge([
      [0, 0, 1],
      [2, 2, 2],
      [4, 4, 3],
    ])
    broker.close()
    open()
    expect(await one.offsets()).toEqual([1])
    expect(given(await two.fetch())).toEqual(['1-1×1', '2-2×2', '3-3×1', '5-5×1'])
  })

  it('can be begun anew elsewhere while the group has no members', async () => {
    append(broker, 6)
    await one.fetch()
    expect(await one.alterOffset(2)).toMatchObject({ errorCode: 68, errorMessage: 'The group is not empty.' })
    expect(await one.deleteOffsets('t')).toMatchObject({ errorCode: 68 })
    await one.heartbeat(-1)
    expect(await one.alterOffset(2)).toMatchObject({ errorCode: 0, topics: [{ partitions: [{ errorCode: 0 }] }] })
    expect(await one.alterOffset(2, 7)).toMatchObject({ topics: [{ partitions: [{ errorCode: 3 }] }] })
    expect(await one.alterOffset(-5)).toMatchObject({ topics: [{ partitions: [{ errorCode: 42 }] }] })
    expect(await one.offsets()).toEqual([2])
    expect(given(await two.fetch())).toEqual(['2-5×1'])
    expect(await one.deleteOffsets('t', 'nowhere')).toMatchObject({
      topics: [{ errorCode: 0 }, { errorCode: 3, errorMessage: 'This server does not host this topic-partition.' }],
    })
    expect(await one.deleteOffsets('t')).toMatchObject({
      topics: [{ errorCode: 3, errorMessage: 'There is no offset information to delete.' }],
    })
    expect(await one.offsets()).toEqual([])
  })

  it('go with their topic', async () => {
    append(broker, 1)
    await one.fetch()
    broker.topics.delete('t')
    expect(await one.offsets()).toEqual([])
  })

  it('are read by as many sessions as a broker has', async () => {
    const { shareSessions } = broker
    const connection = new AbortController()
    for (let count = 0; count < 2000; count += 1) {
      shareSessions.open({ groupId: 'g', memberId: `m${count}` }, [], connection.signal)
    }
    expect(given(await one.fetch())).toEqual(['error 133'])
    connection.abort()
    const request = { groupId: 'g', memberId: 'm0', shareSessionEpoch: 1, topics: [], forgottenTopics: [] }
    expect(
      await shareFetch.handle(
        { ...request, maxWaitMs: 0, minBytes: 1, maxBytes: 1, maxRecords: 1, batchSize: 1 },
        makeContext(broker, 1),
      ),
    ).toMatchObject({ errorCode: 122 })
  })
})
