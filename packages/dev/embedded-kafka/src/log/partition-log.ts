import type { BatchHeader } from '../records/record-batch.ts'
import type { SegmentStore } from '../storage/byte-file.ts'
import { hasNumbers, isRecord } from '../storage/shapes.ts'
import { type ReadLimits, Segment, type SegmentCheckpoint } from './segment.ts'

/** When a log starts a new segment and drops old ones. */
export interface LogLimits {
  readonly segmentBytes: number
  /** -1: any age. */
  readonly retentionMs: number
  /** -1: any size. */
  readonly retentionBytes: number
}

/** State that is derived from the batches of a log and must be derived again when the log is opened. */
export interface DerivedState {
  /** Called for each batch that is in the log but in no checkpoint. */
  onBatch(header: BatchHeader, batch: Buffer): void
  /** Everything derived so far, as JSON. */
  save(): unknown
  /** Replaces everything derived so far. */
  restore(saved: unknown): void
}

interface LogCheckpoint {
  readonly segment: SegmentCheckpoint
  readonly derived: unknown
}

/** All batches of one partition: an append-only run of segments, the last of which is written to. */
export class PartitionLog {
  readonly #store: SegmentStore
  readonly #segments: Segment[] = []
  readonly #derived: DerivedState
  #limits: LogLimits
  #startOffset: number

  /** Opens the existing segments. Reads only what no checkpoint covers, and cuts off an incomplete batch at the end. */
  constructor(options: {
    readonly store: SegmentStore
    readonly limits: LogLimits
    readonly startOffset: number
    readonly derived: DerivedState
  }) {
    this.#store = options.store
    this.#limits = options.limits
    this.#derived = options.derived
    for (const baseOffset of options.store.list()) this.#open(baseOffset)
    const [first] = this.#segments
    this.#startOffset = Math.max(options.startOffset, first?.baseOffset ?? 0)
    if (!first) this.#segments.push(new Segment(this.#startOffset, options.store.open(this.#startOffset)))
    for (const sealed of this.#segments.slice(0, -1)) sealed.file.seal()
  }

  #open(baseOffset: number): void {
    const previous = this.#segments.at(-1)
    // The segment before lost its end: readers would not notice the missing offsets.
    if (previous && previous.nextOffset !== baseOffset) {
      this.#store.setAside(baseOffset)
      this.#store.remove(baseOffset)
      return
    }
    const segment = new Segment(baseOffset, this.#store.open(baseOffset))
    if (!this.#restore(segment)) {
      segment.recover(
        (header, batch) => this.#derived.onBatch(header, batch),
        () => this.#store.setAside(baseOffset),
      )
    }
    this.#segments.push(segment)
  }

  /** Uses the segment's checkpoint; false when there is none that can be used. */
  #restore(segment: Segment): boolean {
    const checkpoint = this.#store.loadCheckpoint(segment.baseOffset)
    if (!isRecord(checkpoint) || !isSegmentCheckpoint(checkpoint['segment'])) return false
    if (checkpoint['segment'].size !== segment.size) return false
    try {
      this.#derived.restore(checkpoint['derived'])
    } catch {
      // Saved by another version: the segment itself is read instead.
      return false
    }
    return segment.restore(checkpoint['segment'])
  }

  #saveCheckpoint(): void {
    const checkpoint: LogCheckpoint = { segment: this.#active.checkpoint(), derived: this.#derived.save() }
    this.#store.saveCheckpoint(this.#active.baseOffset, checkpoint)
  }

  get #active(): Segment {
    return this.#segments.at(-1) as Segment
  }

  get startOffset(): number {
    return this.#startOffset
  }

  get endOffset(): number {
    return this.#active.nextOffset
  }

  get sizeInBytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.size, 0)
  }

  set limits(limits: LogLimits) {
    this.#limits = limits
  }

  append(batch: Buffer, header: BatchHeader): void {
    if (this.#active.size > 0 && this.#active.size + batch.length > this.#limits.segmentBytes) this.#roll()
    this.#active.append(batch, header)
  }

  #roll(): void {
    const next = this.endOffset
    this.#saveCheckpoint()
    this.#active.file.seal()
    const file = this.#store.open(next)
    // The file has to exist before its first batch: after a restart its name says which offset comes next.
    file.append(Buffer.alloc(0))
    this.#segments.push(new Segment(next, file))
  }

  read(limits: ReadLimits): Buffer {
    const segment = this.#segments.findLast((each) => each.baseOffset <= limits.fromOffset)
    return segment ? segment.read(limits) : Buffer.alloc(0)
  }

  batchByTimestamp(timestamp: number): { header: BatchHeader; batch: Buffer } | undefined {
    for (const segment of this.#segments) {
      if (segment.maxTimestamp < timestamp) continue
      const found = segment.batchByTimestamp(timestamp, this.#startOffset)
      if (found) return found
    }
    return undefined
  }

  get maxTimestamp(): number {
    return this.#segments.reduce((highest, segment) => Math.max(highest, segment.maxTimestamp), -1)
  }

  /** Forgets everything before `offset`; whole segments before it are removed. */
  advanceStart(offset: number): void {
    this.#startOffset = Math.max(this.#startOffset, offset)
    while (this.#segments.length > 1) {
      const [first] = this.#segments
      if (!first || first.nextOffset > this.#startOffset) break
      this.#store.remove(first.baseOffset)
      this.#segments.shift()
    }
  }

  /**
   * Drops old segments: all by age, all but the active one by size, none with offsets from `beforeOffset` on.
   * Returns when the next one will be too old, if ever.
   */
  enforceRetention(now: number, beforeOffset: number): number | undefined {
    const isActiveTooOld = this.#active.size > 0 && this.#isTooOld(this.#active, now)
    if (isActiveTooOld && this.endOffset <= beforeOffset) this.#roll()
    while (this.#segments.length > 1) {
      const [first] = this.#segments
      if (!first || first.nextOffset > beforeOffset) break
      if (!(this.#isTooOld(first, now) || this.#isTooMuch(first))) break
      this.advanceStart(first.nextOffset)
    }
    return this.nextExpiry
  }

  #isTooOld(segment: Segment, now: number): boolean {
    const { retentionMs } = this.#limits
    return retentionMs >= 0 && segment.maxTimestamp + retentionMs <= now
  }

  #isTooMuch(first: Segment): boolean {
    const { retentionBytes } = this.#limits
    return retentionBytes >= 0 && this.sizeInBytes - first.size >= retentionBytes
  }

  /** When the oldest segment has to be dropped: at a time, now because of the size (0), or never (undefined). */
  get nextExpiry(): number | undefined {
    const [oldest] = this.#segments
    if (!oldest || oldest.size === 0) return undefined
    if (this.#segments.length > 1 && this.#isTooMuch(oldest)) return 0
    return this.#limits.retentionMs < 0 ? undefined : oldest.maxTimestamp + this.#limits.retentionMs
  }

  close(): void {
    if (this.#active.size > 0) this.#saveCheckpoint()
    this.#active.file.seal()
  }

  remove(): void {
    for (const segment of this.#segments) segment.file.seal()
    this.#store.removeAll()
  }
}

function isSegmentCheckpoint(value: unknown): value is SegmentCheckpoint {
  return (
    hasNumbers(value, 'size', 'nextOffset', 'maxTimestamp') &&
    'index' in value &&
    Array.isArray(value.index) &&
    value.index.every((entry) => hasNumbers(entry, 'offset', 'position', 'maxTimestampBefore'))
  )
}
