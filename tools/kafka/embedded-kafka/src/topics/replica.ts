import type { CleanableLog, CleaningRules } from '../cleaner/cleanable.ts'
import type { LogLimits } from '../log/log-limits.ts'
import { PartitionLog } from '../log/partition-log.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { type BatchHeader, placeBatch, readBatchHeader } from '../records/record-batch.ts'
import type { SegmentStore } from '../storage/byte-file.ts'
import { KnownFromLog } from './known-from-log.ts'
import type { EpochEnd, LeaderEpochs } from './leader-epochs.ts'
import type { AbortedTransaction, ActiveProducer, Appended } from './producer-states.ts'
import type { Room } from './stored-bytes.ts'

export interface ReplicaOptions {
  readonly store: SegmentStore
  readonly limits: LogLimits
  /** Where it begins at the earliest; asked again when the log is opened again. */
  readonly startOffset: () => number
  /** Called with the time of the next work of retention here. */
  readonly onExpiry: (time: number) => void
  /** Called when there may be more to compact, where the topic is compacted. */
  readonly onRoll: () => void
  /** Records before this offset were compacted. */
  readonly cleanedTo: number
  /** Called with the offset up to which records are compacted. */
  readonly onCleaned: (offset: number) => void
  readonly stored: Room
}

/** One broker's copy of a partition: its log, and the producers that write to it. */
export class Replica {
  readonly #options: ReplicaOptions
  #limits: LogLimits
  #known = new KnownFromLog()
  #log: PartitionLog
  #cleanedTo: number
  #isClosed = false

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#limits = options.limits
    this.#cleanedTo = options.cleanedTo
    this.#log = this.#open(options.startOffset())
    // Damage has taken the end: other records come to these offsets.
    if (this.#cleanedTo > this.endOffset) this.#noteCleaned(0)
    this.#expectExpiry()
  }

  #noteCleaned(offset: number): void {
    this.#cleanedTo = offset
    this.#options.onCleaned(offset)
  }

  #open(startOffset: number): PartitionLog {
    const log = new PartitionLog({
      store: this.#options.store,
      limits: this.#limits,
      startOffset,
      derived: this.#known,
      onRoll: this.#options.onRoll,
    })
    this.#known.producers.forgetBefore(log.startOffset)
    return log
  }

  #expectExpiry(): void {
    const time = this.#log.nextExpiry
    if (time !== undefined) this.#options.onExpiry(time)
  }

  get startOffset(): number {
    return this.#log.startOffset
  }

  /** The next offset to be written. */
  get endOffset(): number {
    return this.#log.endOffset
  }

  get sizeInBytes(): number {
    return this.#log.sizeInBytes
  }

  /** Producers that have written here with sequence numbers. */
  get activeProducers(): readonly ActiveProducer[] {
    return this.#known.producers.active()
  }

  /** Before it, no record belongs to a transaction that is still open. */
  get firstOpenOffset(): number {
    return this.#known.producers.firstOpenOffset() ?? this.#log.endOffset
  }

  isOpen(producerId: number): boolean {
    return this.#known.producers.isOpen(producerId)
  }

  /** Of the leaders that wrote here. */
  get epochs(): LeaderEpochs {
    return this.#known.epochs
  }

  endOfEpoch(epoch: number): EpochEnd {
    return this.#known.epochs.endOf(epoch, this.endOffset)
  }

  set limits(limits: LogLimits) {
    this.#limits = limits
    this.#log.limits = limits
    this.#expectExpiry()
  }

  /** Appends a checked batch. A retried batch is not appended again: it has its offset and its time. */
  append(batch: Buffer, header: BatchHeader, leaderEpoch: number): Appended {
    if (header.producerId >= 0) {
      const earlier = this.#known.producers.check(header)
      if (earlier !== undefined) {
        // Flushing may have failed then.
        this.#log.flushing.noteWritten(0)
        return earlier
      }
    }
    this.#options.stored.makeRoomFor(batch.length)
    return this.place(batch, leaderEpoch)
  }

  /** Appends a batch of the broker's own, for which there is always room. */
  place(batch: Buffer, leaderEpoch: number): Appended {
    placeBatch(batch, this.#log.endOffset, leaderEpoch)
    const header = readBatchHeader(batch)
    if (!header) throw new ProtocolError(ErrorCode.CORRUPT_MESSAGE, 'a record batch ends within its header')
    this.#add(batch, header)
    return header
  }

  #add(batch: Buffer, header: BatchHeader): void {
    this.#log.append(batch, header)
    this.#options.stored.add(batch.length)
    this.#known.onBatch(header, batch)
    this.#expectExpiry()
    this.#log.flushing.noteWritten(header.recordCount)
  }

  /** Appends batches of the leader as they are. */
  appendCopies(batches: Buffer): void {
    this.#options.stored.makeRoomFor(batches.length)
    let at = 0
    for (let header = readBatchHeader(batches); header; header = readBatchHeader(batches, at)) {
      this.#add(batches.subarray(at, at + header.size), header)
      at += header.size
    }
  }

  /** Whole batches from an offset on; empty when there are none. */
  read(limits: Parameters<PartitionLog['read']>[0]): Buffer {
    return this.#log.read(limits)
  }

  batchesSince(timestamp: number): ReturnType<PartitionLog['batchesSince']> {
    return this.#log.batchesSince(timestamp)
  }

  get maxTimestamp(): number {
    return this.#log.maxTimestamp
  }

  abortedWithin(fromOffset: number, beforeOffset: number): readonly AbortedTransaction[] {
    return this.#known.producers.abortedWithin(fromOffset, beforeOffset)
  }

  advanceStart(offset: number): void {
    if (offset <= this.startOffset) return
    this.#log.advanceStart(offset)
    this.#known.producers.forgetBefore(this.startOffset)
  }

  /** Drops the oldest segment; false when it is empty or has offsets from `beforeOffset` on. */
  dropOldest(beforeOffset: number): boolean {
    const isDropped = this.#log.dropOldest(beforeOffset)
    this.#known.producers.forgetBefore(this.startOffset)
    return isDropped
  }

  enforceRetention(now: number, beforeOffset: number): number | undefined {
    const next = this.#log.enforceRetention(now, beforeOffset)
    this.#known.producers.forgetBefore(this.startOffset)
    return next
  }

  /** Gives up everything from `offset` on, which the leader does not have. */
  truncate(offset: number): void {
    if (offset < this.endOffset) this.#openAgain(offset, this.#options.startOffset())
  }

  /** Gives up everything and begins at `offset`: the leader has nothing before it any more. */
  restartAt(offset: number): void {
    this.#openAgain(0, offset)
  }

  #openAgain(truncateTo: number, startOffset: number): void {
    this.#log.truncate(truncateTo)
    this.#known = new KnownFromLog()
    this.#log = this.#open(startOffset)
    // Other records come to the offsets that were compacted.
    if (this.#cleanedTo > truncateTo) this.#noteCleaned(truncateTo)
  }

  /** What the cleaner is to know of it now. */
  cleanable(rules: CleaningRules, lastStableOffset: number): CleanableLog {
    const log = this.#log
    return {
      log,
      rules,
      lastStableOffset,
      aborted: () => this.#known.producers.abortedWithin(0, this.endOffset),
      cleanedTo: this.#cleanedTo,
      isClosed: () => this.#isClosed || this.#log !== log,
      noteCleaned: (offset) => this.#noteCleaned(offset),
    }
  }

  close(): void {
    this.#isClosed = true
    this.#log.close()
  }

  /** Ends it without saving anything, as when its broker is killed. */
  abandon(): void {
    this.#isClosed = true
    this.#log.abandon()
  }

  remove(): void {
    this.#isClosed = true
    this.#log.remove()
  }
}
