import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitFor } from '../../tests/consume.ts'
import { makeBatch } from '../../tests/make-batch.ts'
import { reassigned } from '../cluster/leadership.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { readBatchHeader } from '../records/record-batch.ts'
import { ALL_IN_SYNC, type Partition } from '../topics/partition.ts'
import { type Cluster, openCluster } from './open-cluster.ts'

function codeOf(action: () => unknown): ErrorCode {
  try {
    action()
    return ErrorCode.NONE
  } catch (error) {
    if (error instanceof ProtocolError) return error.errorCode
    throw error
  }
}

describe.each([{ where: 'in memory' }, { where: 'on disk' }])('decisions 3.58: a cluster $where', ({ where }) => {
  let folder: string
  let cluster: Cluster

  function open(): Cluster {
    return openCluster({
      ...(where === 'on disk' && { dataDir: folder }),
      racks: [null, null, null],
      defaultPartitions: 1,
      autoCreateTopics: true,
      cleanerBackoffMs: 1000,
      limits: {
        maxPartitions: 10,
        maxTopicPartitions: 10,
        maxGroups: 10,
        maxGroupMembers: 10,
        maxTransactionalIds: 10,
      },
    })
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'embedded-kafka-'))
    cluster = open()
  })

  afterEach(() => {
    cluster.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The first of the brokers leads. */
  function create(config: Readonly<Record<string, string>> = {}, brokers = [1, 2, 3]): Partition {
    const { topics } = cluster.brokers[0]
    topics.create('t', { assignments: [brokers], config })
    return topics.partition('t', 0)
  }

  function append(partition: Partition, acks: number, producer = {}) {
    const batch = makeBatch(producer)
    return partition.append(batch, readBatchHeader(batch) as NonNullable<ReturnType<typeof readBatchHeader>>, acks)
  }

  const endsOf = ({ replicas }: Partition) => [1, 2, 3].map((id) => replicas.on(id)?.endOffset)

  it('copies at once for acks=all, otherwise soon: until then nobody reads it', async () => {
    const partition = create()
    append(partition, ALL_IN_SYNC)
    expect(endsOf(partition)).toEqual([1, 1, 1])
    append(partition, 1)
    expect(endsOf(partition)).toEqual([2, 1, 1])
    expect(partition.highWatermark).toBe(1)
    await setImmediate()
    await setImmediate()
    expect(endsOf(partition)).toEqual([2, 2, 2])
    expect(partition.highWatermark).toBe(2)
  })

  it('cuts off what a killed leader had alone, and takes what its successor wrote', async () => {
    const partition = create()
    append(partition, ALL_IN_SYNC)
    append(partition, 1)
    append(partition, 1)
    cluster.goDown(1, { isKilled: true })
    expect(partition.replicas.leadership).toMatchObject({ leader: 2, epoch: 1, isr: [2, 3] })
    append(partition, ALL_IN_SYNC)
    expect(endsOf(partition)).toEqual([undefined, 2, 2])
    cluster.comeUp(1)
    await waitFor(() => partition.replicas.leadership.isr.includes(1))
    expect(endsOf(partition)).toEqual([2, 2, 2])
    const copies = [1, 2, 3].map((nodeId) => {
      const wanted = { fromOffset: 0, isolation: 'read_uncommitted', maxBytes: 10_000, atLeastOne: true } as const
      return partition.read({ ...wanted, nodeId }).records
    })
    expect(copies[0]).toEqual(copies[1])
    expect(copies[2]).toEqual(copies[1])
    expect(partition.endOfEpoch(0)).toEqual({ epoch: 0, endOffset: 1 })
    expect(partition.endOfEpoch(1)).toEqual({ epoch: 1, endOffset: 2 })
  })

  it('hands over what a leader has that stops in order', () => {
    const partition = create()
    append(partition, 1)
    cluster.goDown(1, { isKilled: false })
    expect(endsOf(partition)).toEqual([undefined, 1, 1])
    expect(partition.highWatermark).toBe(1)
  })

  it('knows the sequences of producers on the next leader', () => {
    const partition = create()
    const first = { producerId: 7, producerEpoch: 0, baseSequence: 0 }
    expect(append(partition, ALL_IN_SYNC, first)).toMatchObject({ baseOffset: 0 })
    cluster.goDown(1, { isKilled: true })
    expect(append(partition, ALL_IN_SYNC, first)).toMatchObject({ baseOffset: 0 })
    expect(partition.endOffset).toBe(1)
    const gap = { ...first, baseSequence: 5 }
    expect(codeOf(() => append(partition, ALL_IN_SYNC, gap))).toBe(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
  })

  it('waits for the last in sync, unless the topic allows an unclean leader', async () => {
    const partition = create()
    for (const id of [3, 2]) cluster.goDown(id, { isKilled: true })
    append(partition, ALL_IN_SYNC)
    append(partition, ALL_IN_SYNC)
    cluster.goDown(1, { isKilled: true })
    cluster.comeUp(2)
    expect(partition.replicas.leadership).toMatchObject({ leader: -1, isr: [1] })
    cluster.brokers[0]?.topics.configure('t', { 'unclean.leader.election.enable': 'true' })
    expect(partition.replicas.leadership).toMatchObject({ leader: 2, isr: [2] })
    expect([partition.endOffset, partition.highWatermark]).toEqual([0, 0])
    append(partition, ALL_IN_SYNC)
    cluster.comeUp(1)
    await waitFor(() => partition.replicas.leadership.isr.includes(1))
    expect(endsOf(partition)).toEqual([1, 1, undefined])
  })

  it('gives the leadership back to the preferred replica, some minutes after it is there again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const partition = create()
      cluster.goDown(1, { isKilled: true })
      cluster.comeUp(1)
      for (let turn = 0; turn < 10; turn += 1) await setImmediate()
      append(partition, 1)
      expect(partition.replicas.leadership).toMatchObject({ leader: 2, isr: [2, 3, 1] })
      await vi.advanceTimersByTimeAsync(300_000)
      expect(partition.replicas.leadership).toMatchObject({ leader: 1, epoch: 2 })
      expect(endsOf(partition)).toEqual([1, 1, 1])
    } finally {
      vi.useRealTimers()
    }
  })

  it('moves a partition to other brokers with its records', async () => {
    const partition = create({}, [1])
    append(partition, ALL_IN_SYNC)
    const { replicas } = partition
    replicas.handOver((leadership) => reassigned(leadership, [3], (id) => cluster.nodes.isLive(id)))
    expect(replicas.leadership).toMatchObject({ replicas: [3, 1], adding: [3], removing: [1], leader: 1 })
    await waitFor(() => replicas.leadership.replicas.length === 1)
    expect(replicas.leadership).toMatchObject({ replicas: [3], isr: [3], leader: 3, adding: [], removing: [] })
    expect(endsOf(partition)).toEqual([undefined, undefined, 1])
  })

  it('answers as Apache Kafka to old and new leader epochs, and where no replica is', () => {
    const partition = create()
    cluster.goDown(1, { isKilled: true })
    const [, second, third] = cluster.brokers
    expect(codeOf(() => second?.leading('t', 0, 1))).toBe(ErrorCode.NONE)
    expect(codeOf(() => second?.leading('t', 0, 0))).toBe(ErrorCode.FENCED_LEADER_EPOCH)
    expect(codeOf(() => second?.leading('t', 0, 2))).toBe(ErrorCode.UNKNOWN_LEADER_EPOCH)
    expect(codeOf(() => third?.leading('t', 0))).toBe(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    expect(codeOf(() => partition.replicas.checkReadable(3, 1))).toBe(ErrorCode.NONE)
    expect(codeOf(() => partition.replicas.checkReadable(1, -1))).toBe(ErrorCode.NOT_LEADER_OR_FOLLOWER)
  })

  it('knows leaders and epochs after a restart, and goes on', {
    tags: 'data-folder',
    skip: where !== 'on disk',
  }, () => {
    const before = create()
    append(before, ALL_IN_SYNC)
    cluster.goDown(1, { isKilled: true })
    append(before, ALL_IN_SYNC)
    cluster.close()
    cluster = open()
    const after = cluster.brokers[0]?.topics.partition('t', 0) as Partition
    expect(after.replicas.leadership).toMatchObject({ leader: 2, epoch: 1, replicas: [1, 2, 3] })
    expect([after.endOffset, after.highWatermark]).toEqual([2, 2])
  })
})
