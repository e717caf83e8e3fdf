import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../tests/consume.ts'
import { logged } from '../../tests/logged.ts'
import { makeBatch } from '../../tests/make-batch.ts'
import { openTestBroker } from '../../tests/open-test-broker.ts'
import type { Broker } from '../broker/broker.ts'
import { type BatchHeader, readBatchHeader } from '../records/record-batch.ts'
import { INTERNAL_TOPICS } from '../topics/internal-topics.ts'
import { committedRecord } from './group-records.ts'
import type { JoinRequest } from './join-and-sync.ts'

const { name: TOPIC } = INTERNAL_TOPICS.group
const SOMEBODY = { memberId: '', groupInstanceId: null, generationId: -1 }
const commit = (broker: Broker, groupId: string, offset: number, topic = 't') =>
  broker.groups.commit({ ...SOMEBODY, groupId }, [{ topic, partition: 0, offset, leaderEpoch: -1, metadata: null }])

/** Opens a broker whose coordinator has been asked for. */
function open(options: Parameters<typeof openTestBroker>[0] = {}): ReturnType<typeof openTestBroker> {
  const broker = openTestBroker(options)
  if (!broker.topics.find('t')) broker.topics.create('t')
  broker.coordinators.find('group', 'g')
  return broker
}

const IS_THERE = -1
const SYNC = { groupInstanceId: null, protocolType: null, protocolName: null }

function makeJoin(): JoinRequest {
  return {
    memberId: '',
    groupInstanceId: null,
    clientId: 'client',
    clientHost: '/host',
    requireKnownMemberId: false,
    knowsSkipAssignment: true,
    sessionTimeoutMs: 10_000,
    rebalanceTimeoutMs: 10_000,
    protocolType: 'consumer',
    protocols: [{ name: 'range', metadata: Buffer.from('m') }],
  }
}

const sizeOf = ({ topics }: Broker) =>
  topics.find(TOPIC)?.partitions.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0) ?? 0

describe('decisions 3.106: __consumer_offsets', () => {
  it('has a commit in the bytes in which Apache Kafka 4.1.0 has it', () => {
    const committed = { topic: 'beers', partition: 1, offset: 3, leaderEpoch: -1, metadata: null }
    const { key, value } = committedRecord('readers', committed, 1_795_402_580_537)
    expect(key.toString('hex')).toBe(`00010007${hex('readers')}0005${hex('beers')}00000001`)
    // As kcat read it there, from the group of a client of version 2 of OffsetCommit.
    expect(value?.toString('hex')).toBe('00040000000000000003ffffffff01000001a20655423900')
  })

  it('has what is committed in the partition of its group, and not what is refused', () => {
    const broker = open()
    commit(broker, 'g', 1)
    commit(broker, 'g', 2)
    commit(broker, 'other', 7)
    broker.groups.commit({ ...SOMEBODY, groupId: 'g', generationId: 5, memberId: 'unknown' }, [])
    const partition = broker.topics.partition(TOPIC, 'g'.charCodeAt(0) % 50)
    expect([partition.endOffset, partition.highWatermark]).toEqual([2, 2])
    expect(logged(broker)).toEqual(
      expect.arrayContaining([
        { kind: 1, group: 'g', topic: 't', offset: 1 },
        { kind: 1, group: 'g', topic: 't', offset: 2 },
        { kind: 1, group: 'other', topic: 't', offset: 7 },
      ]),
    )
    expect(logged(broker)).toHaveLength(3)
    broker.close()
  })

  it('has what a transaction commits when it is committed, and never what it aborts', () => {
    const broker = open()
    const { transactions, groups } = broker
    const staged = { topic: 't', partition: 0, leaderEpoch: -1, metadata: null }
    const once = (offset: number, outcome: 'commit' | 'abort'): void => {
      const producer = transactions.init('tx', 60_000, { producerId: -1, producerEpoch: -1 })
      transactions.add('tx', producer, { group: 'g' })
      groups.offsets.stage(producer.producerId, 'g', [{ ...staged, offset }])
      transactions.end('tx', producer, outcome)
    }
    once(4, 'abort')
    expect(logged(broker)).toEqual([])
    once(5, 'commit')
    expect(logged(broker)).toEqual([{ kind: 1, group: 'g', topic: 't', offset: 5 }])
    broker.close()
  })

  it('says which offsets and groups are deleted', () => {
    const broker = open()
    broker.topics.create('u')
    commit(broker, 'g', 1)
    commit(broker, 'g', 2, 'u')
    broker.topics.delete('u')
    expect(logged(broker).slice(2)).toEqual([{ kind: 1, group: 'g', topic: 'u', offset: null }])
    broker.groups.delete('g')
    expect(logged(broker).slice(3)).toEqual([
      { kind: 1, group: 'g', topic: 't', offset: null },
      { kind: 2, group: 'g', topic: '', offset: null },
    ])
    broker.close()
  })

  it('has a group for as long as it has members or offsets, and is of this protocol', async () => {
    const broker = open()
    const { groups } = broker
    const outcomes: (number | null)[] = []
    const joinAndLeave = async (): Promise<void> => {
      const { memberId, generationId } = await groups.join('g', makeJoin())
      await groups.sync('g', { ...SYNC, memberId, generationId, assignments: [] })
      groups.leave('g', memberId, null)
      outcomes.push(
        ...logged(broker)
          .slice(-2)
          .map(({ offset }) => offset),
      )
    }
    await joinAndLeave()
    expect(outcomes.splice(0)).toEqual([IS_THERE, null])
    commit(broker, 'g', 1)
    await joinAndLeave()
    expect(outcomes.splice(0)).toEqual([IS_THERE, IS_THERE])
    groups.forget('g')
    expect(logged(broker).at(-1)).toEqual({ kind: 2, group: 'g', topic: '', offset: null })
    broker.close()
  })

  it('stays small, however much is committed, and has the last commit of each group', async () => {
    const broker = open({ cleanerBackoffMs: 1 })
    const groups = Array.from({ length: 2 }, (_, index) => `g${index}`)
    for (let offset = 1; offset <= 20_000; offset += 1) for (const group of groups) commit(broker, group, offset)
    expect(sizeOf(broker)).toBeGreaterThan(4_000_000)
    await waitFor(() => sizeOf(broker) < 2 * 1_100_000)
    const last = new Map(logged(broker).map(({ group, offset }) => [group, offset]))
    expect(last).toEqual(new Map(groups.map((group) => [group, 20_000])))
    broker.close()
  })

  it('takes no room from records: what was committed first goes when memory is full', () => {
    const broker = open({
      cleanerBackoffMs: 3_600_000,
      limits: {
        maxPartitions: 10,
        maxTopicPartitions: 10,
        maxGroups: 10,
        maxGroupMembers: 10,
        maxTransactionalIds: 10,
        maxStoredBytes: 3_000_000,
      },
    })
    for (let offset = 1; offset <= 25_000; offset += 1) commit(broker, 'g', offset)
    const batch = makeBatch({ bytes: 100_000 })
    broker.topics.partition('t', 0).append(batch, readBatchHeader(batch) as BatchHeader)
    expect(sizeOf(broker)).toBeLessThan(3_000_000)
    expect(logged(broker).at(-1)).toEqual({ kind: 1, group: 'g', topic: 't', offset: 25_000 })
    expect(broker.groups.offsets.find('g', 't', 0)?.offset).toBe(25_000)
    broker.close()
  })
})

describe('decisions 3.106: __consumer_offsets in a folder', () => {
  let dataDir: string

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
  })

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  it('is kept, and goes on', () => {
    const first = open({ dataDir })
    commit(first, 'g', 1)
    first.close()
    const second = open({ dataDir })
    commit(second, 'g', 2)
    expect(logged(second).map(({ offset }) => offset)).toEqual([1, 2])
    second.close()
  })

  it('gets all that was committed where it has nothing, and where a power cut may have taken some', () => {
    const first = openTestBroker({ dataDir, boot: 'first' })
    first.topics.create('t')
    // There is no topic yet.
    commit(first, 'g', 3)
    first.coordinators.find('group', 'g')
    expect(logged(first)).toEqual([])
    first.close()
    const second = open({ dataDir, boot: 'first' })
    expect(logged(second).map(({ offset }) => offset)).toEqual([3])
    second.close()
    const third = open({ dataDir, boot: 'second' })
    // The offset, which is behind the end of the empty topic, was moved to it.
    expect(logged(third).map(({ offset }) => offset)).toEqual([3, 0, 0])
    third.close()
  })
})

const hex = (text: string) => Buffer.from(text).toString('hex')
