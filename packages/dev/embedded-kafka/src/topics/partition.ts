import type { CleanableLog, CleaningRules } from '../cleaner/cleanable.ts'
import type { LogLimits } from '../log/log-limits.ts'
import { PartitionLog } from '../log/partition-log.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { buildControlBatch, controlOutcome, type TransactionOutcome } from '../records/control-batch.ts'
import { type BatchHeader, placeBatch, readBatchHeader } from '../records/record-batch.ts'
import { firstRecordSince, type TimedOffset } from '../records/record-times.ts'
import type { SegmentStore } from '../storage/byte-file.ts'
import {
  type AbortedTransaction,
  type ActiveProducer,
  type Appended,
  ProducerStates,
  type SavedProducers,
} from './producer-states.ts'
import type { Room } from './stored-bytes.ts'

export type Isolation = 'read_uncommitted' | 'read_committed'

export interface PartitionRead {
  readonly records: Buffer
  readonly abortedTransactions: readonly AbortedTransaction[]
}

/** One partition: its log, the producers that write to it, the readers that wait for more. */
export class Partition {
  readonly index: number
  readonly #log: PartitionLog
  readonly #producers = new ProducerStates()
  readonly #listeners = new Set<() => void>()
  readonly #onExpiry: (time: number) => void
  readonly #onCleaned: (offset: number) => void
  #cleanedTo: number
  #isClosed = false
  readonly #stored: Room

  constructor(options: {
    readonly index: number
    readonly store: SegmentStore
    readonly limits: LogLimits
    readonly startOffset: number
    /** Called with the time of the next work of retention here. */
    readonly onExpiry: (time: number) => void
    /** Called when there may be more to compact, where the topic is compacted. */
    readonly onRoll: () => void
    /** Records before this offset were compacted. */
    readonly cleanedTo: number
    /** Called with the offset up to which records are compacted. */
    readonly onCleaned: (offset: number) => void
    readonly stored: Room
  }) {
    this.index = options.index
    this.#stored = options.stored
    this.#onExpiry = options.onExpiry
    this.#onCleaned = options.onCleaned
    this.#cleanedTo = options.cleanedTo
    this.#log = new PartitionLog({
      store: options.store,
      limits: options.limits,
      startOffset: options.startOffset,
      derived: {
        onBatch: (header, batch) => this.#note(header, batch),
        save: () => this.#producers.save(),
        restore: (saved) => this.#producers.restore(saved as SavedProducers),
      },
      onRoll: options.onRoll,
    })
    this.#producers.forgetBefore(this.#log.startOffset)
    // Damage has taken the end: other records come to these offsets.
    if (this.#cleanedTo > this.#log.endOffset) this.#noteCleaned(0)
    this.#expectExpiry()
  }

  #noteCleaned(offset: number): void {
    this.#cleanedTo = offset
    this.#onCleaned(offset)
  }

  #expectExpiry(): void {
    const time = this.#log.nextExpiry
    if (time !== undefined) this.#onExpiry(time)
  }

  #note(header: BatchHeader, batch: Buffer): void {
    if (header.isControl) this.#producers.noteMarker(header, controlOutcome(batch))
    else this.#producers.note(header)
  }

  get startOffset(): number {
    return this.#log.startOffset
  }

  /** The next offset to be written; with one broker also the high watermark. */
  get endOffset(): number {
    return this.#log.endOffset
  }

  /** Producers that have written here with sequence numbers. */
  get activeProducers(): readonly ActiveProducer[] {
    return this.#producers.active()
  }

  /** Before it, no record belongs to a transaction that is still open. */
  get lastStableOffset(): number {
    const firstOpen = this.#producers.firstOpenOffset() ?? this.#log.endOffset
    // The first records of an open transaction may have been deleted.
    return Math.max(firstOpen, this.#log.startOffset)
  }

  endOffsetFor(isolation: Isolation): number {
    return isolation === 'read_committed' ? this.lastStableOffset : this.endOffset
  }

  set limits(limits: LogLimits) {
    this.#log.limits = limits
    this.#expectExpiry()
  }

  /** Appends a checked batch. A retried batch is not appended again: it has its offset and its time. */
  append(batch: Buffer, header: BatchHeader): Appended {
    if (header.producerId >= 0) {
      const earlier = this.#producers.check(header)
      if (earlier !== undefined) return earlier
    }
    this.#stored.makeRoomFor(batch.length)
    return this.#place(batch)
  }

  #place(batch: Buffer): Appended {
    const baseOffset = this.#log.endOffset
    placeBatch(batch, baseOffset)
    const header = readBatchHeader(batch)
    if (!header) throw new ProtocolError(ErrorCode.CORRUPT_MESSAGE, 'a record batch ends within its header')
    this.#log.append(batch, header)
    this.#stored.add(batch.length)
    this.#note(header, batch)
    this.#expectExpiry()
    this.#changed()
    return header
  }

  /** Ends a producer's open transaction. Does nothing without one, so that it can be repeated after a kill. */
  endTransaction(marker: {
    readonly producerId: number
    readonly producerEpoch: number
    readonly outcome: TransactionOutcome
    readonly timestamp: number
  }): void {
    if (this.#producers.isOpen(marker.producerId)) this.#place(buildControlBatch(marker))
  }

  /** @throws {ProtocolError} OFFSET_OUT_OF_RANGE when an offset is before or after the log */
  read(wanted: {
    readonly fromOffset: number
    readonly isolation: Isolation
    readonly maxBytes: number
    readonly atLeastOne: boolean
  }): PartitionRead {
    const { fromOffset, isolation, maxBytes, atLeastOne } = wanted
    if (fromOffset < this.startOffset || fromOffset > this.endOffset) {
      throw new ProtocolError(ErrorCode.OFFSET_OUT_OF_RANGE, `offset ${fromOffset} is not in the log`)
    }
    const beforeOffset = this.endOffsetFor(isolation)
    const records =
      fromOffset >= beforeOffset || maxBytes <= 0
        ? Buffer.alloc(0)
        : this.#log.read({ fromOffset, beforeOffset, maxBytes, atLeastOne })
    const abortedTransactions =
      isolation === 'read_committed' && records.length > 0
        ? this.#producers.abortedWithin(fromOffset, beforeOffset)
        : []
    return { records, abortedTransactions }
  }

  /** The first record at or after a point in time, if there is one. */
  offsetSince(timestamp: number): TimedOffset | undefined {
    const fromOffset = this.startOffset
    for (const { header, batch } of this.#log.batchesSince(timestamp)) {
      const found = firstRecordSince(header, batch, { timestamp, fromOffset })
      if (found) return found
    }
    return undefined
  }

  latestByTime(): TimedOffset | undefined {
    const timestamp = this.#log.maxTimestamp
    return timestamp < 0 ? undefined : this.offsetSince(timestamp)
  }

  advanceStart(offset: number): void {
    this.#log.advanceStart(offset)
    this.#producers.forgetBefore(this.startOffset)
  }

  get sizeInBytes(): number {
    return this.#log.sizeInBytes
  }

  /** Drops the oldest segment; false when it is empty, or needed by a transaction that is still open. */
  dropOldest(): boolean {
    const isDropped = this.#log.dropOldest(this.lastStableOffset)
    this.#producers.forgetBefore(this.startOffset)
    return isDropped
  }

  enforceRetention(now: number): number | undefined {
    const next = this.#log.enforceRetention(now, this.lastStableOffset)
    this.#producers.forgetBefore(this.startOffset)
    return next
  }

  /** What the cleaner is to know of it now. */
  cleanable(rules: CleaningRules): CleanableLog {
    return {
      log: this.#log,
      rules,
      lastStableOffset: this.lastStableOffset,
      aborted: () => this.#producers.abortedWithin(0, this.endOffset),
      cleanedTo: this.#cleanedTo,
      isClosed: () => this.#isClosed,
      noteCleaned: (offset) => this.#noteCleaned(offset),
    }
  }

  /** Calls `listener` when there is more to read or the partition is gone; call the result to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  close(): void {
    this.#isClosed = true
    this.#log.close()
  }

  remove(): void {
    this.#isClosed = true
    this.#log.remove()
    this.#changed()
  }
}
