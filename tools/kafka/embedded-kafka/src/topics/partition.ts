import type { CleanableLog } from '../cleaner/cleanable.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { buildControlBatch, type TransactionOutcome } from '../records/control-batch.ts'
import type { BatchHeader } from '../records/record-batch.ts'
import { firstRecordSince, type TimedOffset } from '../records/record-times.ts'
import type { Allocate } from '../storage/byte-file.ts'
import type { EpochEnd } from './leader-epochs.ts'
import type { AbortedTransaction, ActiveProducer, Appended } from './producer-states.ts'
import type { Replica } from './replica.ts'
import { ReplicaSet, type ReplicaSetOptions } from './replica-set.ts'
import type { TopicRules } from './topic-rules.ts'

export type Isolation = 'read_uncommitted' | 'read_committed'

export interface PartitionRead {
  readonly records: Buffer
  readonly abortedTransactions: readonly AbortedTransaction[]
}

/** The `acks` of a producer that waits until all replicas in sync have its records. */
export const ALL_IN_SYNC = -1

type Options = Omit<ReplicaSetOptions, 'minInsync' | 'openReplica' | 'onProgress'> & {
  readonly rules: TopicRules
  readonly openReplica: (nodeId: number, rules: TopicRules) => Replica
}

/** One partition as its leader has it, and the readers that wait for more. */
export class Partition {
  readonly index: number
  readonly replicas: ReplicaSet
  readonly #listeners = new Set<() => void>()
  #rules: TopicRules

  constructor(options: Options) {
    this.index = options.index
    this.#rules = options.rules
    this.replicas = new ReplicaSet({
      ...options,
      minInsync: options.rules.minInsyncReplicas,
      openReplica: (nodeId) => options.openReplica(nodeId, this.#rules),
      onProgress: () => this.#changed(),
    })
  }

  #lead(): Replica {
    const { leader } = this.replicas
    if (leader) return leader
    throw new ProtocolError(ErrorCode.LEADER_NOT_AVAILABLE, `partition ${this.index} has no leader`)
  }

  get startOffset(): number {
    return this.replicas.leader?.startOffset ?? 0
  }

  /** The next offset to be written. */
  get endOffset(): number {
    return this.replicas.leader?.endOffset ?? 0
  }

  /** Readers get no further. With one broker it is the end of the log. */
  get highWatermark(): number {
    return this.replicas.highWatermark
  }

  /** Producers that have written here with sequence numbers. */
  get activeProducers(): readonly ActiveProducer[] {
    return this.replicas.leader?.activeProducers ?? []
  }

  /** Before it, no record belongs to a transaction that is still open. */
  get lastStableOffset(): number {
    const { leader, highWatermark } = this.replicas
    // The first records of an open transaction may have been deleted.
    return leader ? Math.max(Math.min(leader.firstOpenOffset, highWatermark), leader.startOffset) : 0
  }

  endOffsetFor(isolation: Isolation): number {
    return isolation === 'read_committed' ? this.lastStableOffset : this.highWatermark
  }

  /** Where a leader's epoch ends. */
  endOfEpoch(epoch: number): EpochEnd {
    if (epoch === this.replicas.leadership.epoch) return { epoch, endOffset: this.endOffset }
    return this.#lead().endOfEpoch(epoch)
  }

  /** Of the leader that wrote at an offset, or is going to. */
  epochAt(offset: number): number {
    return offset >= this.endOffset ? this.replicas.leadership.epoch : this.#lead().epochs.at(offset)
  }

  set rules(rules: TopicRules) {
    this.#rules = rules
    for (const replica of this.replicas.all) replica.limits = rules.log
    this.replicas.minInsync = rules.minInsyncReplicas
  }

  /**
   * Appends a checked batch. A retried batch is not appended again: it has its offset and its time. With `acks` of {@link ALL_IN_SYNC}
   * all replicas in sync have it then; otherwise they copy it soon.
   * @throws {ProtocolError} NOT_ENOUGH_REPLICAS when fewer are in sync than the topic wants
   */
  append(batch: Buffer, header: BatchHeader, acks = 1): Appended {
    const leader = this.#lead()
    const atOnce = acks === ALL_IN_SYNC
    if (atOnce) this.replicas.checkInSync(ErrorCode.NOT_ENOUGH_REPLICAS)
    const appended = leader.append(batch, header, this.replicas.leadership.epoch)
    this.replicas.replicate({ atOnce })
    if (atOnce) this.replicas.checkInSync(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
    return appended
  }

  /** Ends a producer's open transaction. Does nothing without one, so that it can be repeated after a kill. */
  endTransaction(marker: {
    readonly producerId: number
    readonly producerEpoch: number
    readonly outcome: TransactionOutcome
    readonly timestamp: number
  }): void {
    if (this.#lead().isOpen(marker.producerId)) this.place(buildControlBatch(marker))
  }

  /** Appends a batch of the broker's own, for which there is always room, in all replicas in sync. */
  place(batch: Buffer): void {
    this.#lead().place(batch, this.replicas.leadership.epoch)
    this.replicas.replicate({ atOnce: true })
  }

  /**
   * Reads from the leader, or from the replica of another broker.
   * @throws {ProtocolError} OFFSET_OUT_OF_RANGE when an offset is before or after the log
   */
  read(wanted: {
    readonly fromOffset: number
    readonly isolation: Isolation
    readonly maxBytes: number
    readonly atLeastOne: boolean
    readonly nodeId?: number
    readonly allocate?: Allocate
  }): PartitionRead {
    const { fromOffset, isolation, maxBytes, atLeastOne, nodeId, allocate } = wanted
    const replica = (nodeId === undefined ? undefined : this.replicas.on(nodeId)) ?? this.#lead()
    if (fromOffset < replica.startOffset || fromOffset > replica.endOffset) {
      throw new ProtocolError(ErrorCode.OFFSET_OUT_OF_RANGE, `offset ${fromOffset} is not in the log`)
    }
    const beforeOffset = this.endOffsetFor(isolation)
    const records =
      fromOffset >= beforeOffset || maxBytes <= 0
        ? Buffer.alloc(0)
        : replica.read({ fromOffset, beforeOffset, maxBytes, atLeastOne, allocate })
    const abortedTransactions =
      isolation === 'read_committed' && records.length > 0 ? replica.abortedWithin(fromOffset, beforeOffset) : []
    return { records, abortedTransactions }
  }

  /** The first record at or after a point in time, if there is one. */
  offsetSince(timestamp: number): TimedOffset | undefined {
    const fromOffset = this.startOffset
    for (const { header, batch } of this.#lead().batchesSince(timestamp)) {
      const found = firstRecordSince(header, batch, { timestamp, fromOffset })
      if (found) return found
    }
    return undefined
  }

  latestByTime(): TimedOffset | undefined {
    const timestamp = this.#lead().maxTimestamp
    return timestamp < 0 ? undefined : this.offsetSince(timestamp)
  }

  advanceStart(offset: number): void {
    for (const replica of this.replicas.all) replica.advanceStart(offset)
  }

  /** Of all replicas together. */
  get sizeInBytes(): number {
    return this.replicas.all.reduce((sum, replica) => sum + replica.sizeInBytes, 0)
  }

  /** Drops the oldest segment; false when it is empty, or needed by a transaction that is still open. */
  dropOldest(): boolean {
    const isDropped = this.replicas.leader?.dropOldest(this.lastStableOffset) ?? false
    if (isDropped) this.advanceStart(this.startOffset)
    return isDropped
  }

  enforceRetention(now: number): number | undefined {
    const next = this.replicas.leader?.enforceRetention(now, this.lastStableOffset)
    this.advanceStart(this.startOffset)
    return next
  }

  /** What the cleaner is to know of its replicas now. */
  get cleanables(): readonly CleanableLog[] {
    return this.replicas.all.map((replica) => {
      const lastStableOffset = Math.min(replica.firstOpenOffset, this.highWatermark)
      return replica.cleanable(this.#rules.cleaning, lastStableOffset)
    })
  }

  /** Calls `listener` when there is more to read or the leader is another; call the result to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}
