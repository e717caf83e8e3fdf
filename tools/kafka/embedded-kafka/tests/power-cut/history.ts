import { setImmediate } from 'node:timers/promises'
import { type Cluster, openCluster } from '../../src/broker/open-cluster.ts'
import { reassigned } from '../../src/cluster/leadership.ts'
import { type BatchHeader, buildBatch, readBatchHeader } from '../../src/records/record-batch.ts'
import { SELDOM } from '../../src/storage/flushing.ts'
import { INTERNAL_TOPICS } from '../../src/topics/internal-topics.ts'
import { ALL_IN_SYNC } from '../../src/topics/partition.ts'
import type { ProducerIdentity } from '../../src/transactions/transaction.ts'
import { waitFor } from '../consume.ts'
import { varint } from '../make-batch.ts'

export interface PlaceOfRecord {
  readonly topic: string
  readonly partition: number
}

/** A record that was written, and when it was acknowledged, in operations of the disk. */
export interface WrittenRecord extends PlaceOfRecord {
  readonly offset: number
  readonly key: string
  readonly text: string
  readonly at: number
  readonly transaction: number | undefined
}

export interface CommittedAt {
  readonly group: string
  readonly offset: number
  readonly at: number
  readonly transaction: number | undefined
}

export interface EndedTransaction {
  readonly outcome: 'commit' | 'abort'
  /** Infinity until it was answered. */
  readonly at: number
}

/** What a client was told. */
export interface History {
  readonly records: readonly WrittenRecord[]
  readonly commits: readonly CommittedAt[]
  readonly ended: ReadonlyMap<number, EndedTransaction>
  /** Producer ids that were given out. */
  readonly producerIds: ReadonlySet<number>
}

export const GROUP_TOPIC: PlaceOfRecord = { topic: 'plain', partition: 0 }
export const COMPACTED = 'compacted'
const PADDING = 'x'.repeat(180)
const TRANSACTION_TIMEOUT_MS = 600_000
const NOBODY = { producerId: -1, producerEpoch: -1 }

/** Opens the brokers over a folder, small in all respects. */
export function openFolder(
  dataDir: string,
  options: { brokers: number; isFlushed: boolean; boot: string; onDamage?: (message: string) => void },
): Cluster {
  return openCluster({
    dataDir,
    racks: Array.from({ length: options.brokers }, () => null),
    boot: options.boot,
    ...(options.onDamage && { onDamage: options.onDamage }),
    defaultPartitions: 1,
    autoCreateTopics: false,
    cleanerBackoffMs: 1,
    limits: { maxPartitions: 50, maxTopicPartitions: 50, maxGroups: 10, maxGroupMembers: 10, maxTransactionalIds: 10 },
    flush: options.isFlushed ? { everyCount: 1, everyMs: Number.POSITIVE_INFINITY } : SELDOM,
  })
}

function recordBatch(key: string, text: string, producer: Partial<ProducerIdentity & { sequence: number }> = {}) {
  const { producerId = -1, producerEpoch = -1, sequence = -1 } = producer
  const [keyBytes, value] = [Buffer.from(key), Buffer.from(text + PADDING)]
  const parts = [varint(keyBytes.length), keyBytes, varint(value.length), value, varint(0)]
  const body = Buffer.concat([Buffer.alloc(1), varint(0), varint(0), ...parts])
  const records = Buffer.concat([varint(body.length), body])
  const attributes = producerId >= 0 ? 0x10 : 0
  return buildBatch({
    ...{ attributes, timestamp: Date.now(), producerId, producerEpoch, baseSequence: sequence },
    ...{ recordCount: 1, records },
  })
}

/**
 * Does everything that changes files, and notes what was acknowledged: records, transactions over partitions with committed offsets, groups,
 * compaction, deleted records and topics, restarts; with several brokers also kills and reassignments.
 */
export async function makeHistory(
  folder: string,
  options: { readonly brokers: number; readonly isFlushed: boolean; readonly now: () => number },
): Promise<History> {
  const { now, brokers } = options
  const records: WrittenRecord[] = []
  const commits: CommittedAt[] = []
  const ended = new Map<number, EndedTransaction>()
  const producerIds = new Set<number>()
  const sequences = new Map<string, number>()
  const open = () => openFolder(folder, { ...options, boot: 'first' })
  let cluster = open()
  let transactionCount = 0
  const broker = () => cluster.brokers[0]

  const write = (place: PlaceOfRecord, key: string, within?: { transaction: number; producer: ProducerIdentity }) => {
    const { topic, partition } = place
    const text = `${topic}-${partition} ${records.length} `
    const { producer } = within ?? {}
    const sequenceKey = producer && `${producer.producerId} ${producer.producerEpoch} ${topic} ${partition}`
    const sequence = sequences.get(sequenceKey ?? '') ?? 0
    const batch = recordBatch(key, text, producer && { ...producer, sequence })
    const written = broker().topics.partition(topic, partition)
    const { baseOffset } = written.append(batch, readBatchHeader(batch) as BatchHeader, ALL_IN_SYNC)
    if (sequenceKey) sequences.set(sequenceKey, sequence + 1)
    const transaction = within?.transaction
    records.push({ topic, partition, offset: baseOffset, key, text: text + PADDING, at: now(), transaction })
  }
  const commit = (offset: number): void => {
    broker().groups.offsets.commit('readers', [{ ...GROUP_TOPIC, offset, leaderEpoch: -1, metadata: null }])
    commits.push({ group: 'readers', offset, at: now(), transaction: undefined })
  }
  const inTransaction = (id: string, outcome: 'commit' | 'abort' | 'none'): void => {
    const transaction = transactionCount++
    const { transactions, groups } = broker()
    const producer = transactions.init(id, TRANSACTION_TIMEOUT_MS, NOBODY)
    producerIds.add(producer.producerId)
    const partitions = [GROUP_TOPIC, { topic: 'plain', partition: 1 }]
    transactions.add(id, producer, { partitions, group: id })
    for (const place of [...partitions, ...partitions]) write(place, 'k', { transaction, producer })
    const offset = 10 + transaction
    groups.offsets.stage(producer.producerId, id, [{ ...GROUP_TOPIC, offset, leaderEpoch: -1, metadata: null }])
    if (outcome === 'none') return
    ended.set(transaction, { outcome, at: Number.POSITIVE_INFINITY })
    transactions.end(id, producer, outcome)
    ended.set(transaction, { outcome, at: now() })
    if (outcome === 'commit') commits.push({ group: id, offset, at: now(), transaction })
  }

  broker().topics.create('plain', { partitions: 2, config: { 'internal.segment.bytes': '1024' } })
  const config = { 'cleanup.policy': 'compact', 'internal.segment.bytes': '1024', 'min.cleanable.dirty.ratio': '0.01' }
  broker().topics.create(COMPACTED, { config })
  const { name, config: configOf } = INTERNAL_TOPICS.group
  broker().topics.create(name, { config: configOf(brokers), partitions: 1 })
  for (let round = 0; round < 3; round += 1) {
    for (const partition of [0, 1]) write({ topic: 'plain', partition }, 'k')
    commit(round + 1)
    inTransaction('copy', round === 1 ? 'abort' : 'commit')
    inTransaction('other', round === 2 ? 'none' : 'commit')
    for (let each = 0; each < 10; each += 1) write({ topic: COMPACTED, partition: 0 }, `k${each % 3}`)
    const cleaned = broker().topics.partition(COMPACTED, 0)
    await waitFor(() => cleaned.cleanables.every(({ cleanedTo }) => cleanedTo > round * 10))
    broker().topics.create('short-lived', { partitions: 1 })
    write({ topic: 'short-lived', partition: 0 }, 'k')
    broker().topics.delete('short-lived')
    if (round > 0) {
      cluster.close()
      cluster = open()
    } else if (brokers > 1) await losingOne()
  }
  cluster.close()
  return { records: records.filter(({ topic }) => topic !== 'short-lived'), commits, ended, producerIds }

  async function losingOne(): Promise<void> {
    cluster.goDown(1, { isKilled: true })
    for (const partition of [0, 1]) write({ topic: 'plain', partition }, 'k')
    const { replicas } = broker().topics.partition('plain', 1)
    replicas.handOver((leadership) => reassigned(leadership, [2, 3], (id) => id !== 1))
    write({ topic: 'plain', partition: 1 }, 'k')
    cluster.comeUp(1)
    replicas.handOver((leadership) => reassigned(leadership, [1, 2], () => true))
    await waitFor(() => broker().topics.partitions.every((each) => each.replicas.leadership.isr.length >= 2))
    while (replicas.leadership.adding.length > 0) await setImmediate()
  }
}
