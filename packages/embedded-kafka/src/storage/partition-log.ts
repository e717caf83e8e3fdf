import type { BatchHeader } from '../records/record-batch.ts'
import type { SegmentStore } from './byte-file.ts'
import { type ReadLimits, Segment, type SegmentCheckpoint } from './segment.ts'

/** When a log starts a new segment and drops old ones. */
export interface LogLimits {
  readonly segmentBytes: number
  /** -1: any age. */
  readonly retentionMs: number
  /** -1: any size. */
  readonly retentionBytes: number
}

/** What is derived from the batches of a log, and has to be known again when the log is opened. */
export interface DerivedState {
  /** A batch was found that no checkpoint covers. */
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

  /** Opens what is there, reading only what no checkpoint covers, and cuts a torn tail. */
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
    // Behind a gap (a segment lost its tail) offsets would be missing without anyone being told.
    if (previous && previous.nextOffset !== baseOffset) {
      this.#store.remove(baseOffset)
      return
    }
    const segment = new Segment(baseOffset, this.#store.open(baseOffset))
    const checkpoint = this.#store.loadCheckpoint(baseOffset) as LogCheckpoint | undefined
    if (checkpoint && segment.restore(checkpoint.segment)) this.#derived.restore(checkpoint.derived)
    else segment.recover((header, batch) => this.#derived.onBatch(header, batch))
    this.#segments.push(segment)
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
    // The file has to be there before its first batch: its name is what remembers the offset.
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
   * Drops old segments by age and size, the active one only by age, and nothing at or behind `beforeOffset`.
   * Returns when the next one will be too old, if any.
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

  /** When the oldest segment will be too old (0: there is too much now); undefined when that never happens. */
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
