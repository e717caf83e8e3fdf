import type { BatchHeader } from '../records/record-batch.ts'
import type { SegmentStore } from '../storage/byte-file.ts'
import { Flushing } from '../storage/flushing.ts'
import type { SegmentName } from '../storage/segment-name.ts'
import { type DerivedState, isLogCheckpoint, type LogCheckpoint } from './checkpoint.ts'
import { isFullFor, isTooOld, type LogLimits } from './log-limits.ts'
import { type ReadLimits, Segment } from './segment.ts'
import { SegmentRewrite } from './segment-rewrite.ts'
import { truncateSegments } from './truncate-segments.ts'

/** All batches of one partition: an append-only run of segments, the last of which is written to. */
export class PartitionLog {
  readonly #store: SegmentStore
  readonly #segments: Segment[] = []
  readonly #derived: DerivedState
  readonly #onRoll: () => void
  /** To be told of what was appended. The oldest segment first: after a power cut there is nothing behind a gap. */
  readonly flushing: Flushing
  #limits: LogLimits
  #startOffset: number

  /** Opens the existing segments. Reads only what no checkpoint covers, and cuts off an incomplete batch at the end. */
  constructor(options: {
    readonly store: SegmentStore
    readonly limits: LogLimits
    readonly startOffset: number
    readonly derived: DerivedState
    /** Called when a segment will not be written to any more. */
    readonly onRoll?: () => void
  }) {
    this.#store = options.store
    this.#limits = options.limits
    this.#derived = options.derived
    this.#onRoll = options.onRoll ?? (() => {})
    this.flushing = new Flushing(options.limits.flush, () => {
      for (const { file } of this.#segments) file.flush()
    })
    for (const name of options.store.list()) this.#open(name)
    this.#startOffset = Math.max(options.startOffset, this.#segments[0]?.baseOffset ?? 0)
    // Damage has taken the end, and all that is left was deleted before.
    if ((this.#segments.at(-1)?.nextOffset ?? 0) < this.#startOffset) {
      for (const { name } of this.#segments.splice(0)) this.#store.remove(name)
    }
    const last = this.#segments.at(-1)
    // Nothing is appended to a segment of the cleaner, which is the last one only where those behind it were lost.
    if (!last || last.name.endOffset !== undefined) this.#begin(last?.nextOffset ?? this.#startOffset)
    for (const sealed of this.#segments.slice(0, -1)) sealed.file.seal()
  }

  #open(name: SegmentName): void {
    const previous = this.#segments.at(-1)
    // The segment before lost its end: readers would not notice the missing offsets.
    if (previous && previous.nextOffset !== name.baseOffset) {
      this.#store.setAside(name)
      this.#store.remove(name)
      return
    }
    const segment = new Segment(name, this.#store.open(name))
    if (!this.#restore(segment)) {
      segment.recover(
        (header, batch) => this.#derived.onBatch(header, batch),
        () => this.#store.setAside(name),
      )
    }
    this.#segments.push(segment)
  }

  /** Uses the segment's checkpoint; false when there is none that can be used. */
  #restore(segment: Segment): boolean {
    const checkpoint = this.#store.loadCheckpoint(segment.name)
    if (!isLogCheckpoint(checkpoint) || checkpoint.segment.size !== segment.size) return false
    try {
      this.#derived.restore(checkpoint.derived)
    } catch {
      // Saved by another version: the segment itself is read instead.
      return false
    }
    return segment.restore(checkpoint.segment)
  }

  #saveCheckpoint(): void {
    const facts: LogCheckpoint = { segment: this.#active.checkpoint(), derived: this.#derived.save() }
    this.#store.saveCheckpoint(this.#active.name, facts)
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
    this.flushing.limits = limits.flush
  }

  append(batch: Buffer, header: BatchHeader): void {
    if (isFullFor(header, this.#active, this.#segments.length, this.#limits)) this.#roll()
    this.#active.append(batch, header)
  }

  #roll(): void {
    this.#saveCheckpoint()
    this.#active.file.seal()
    this.#begin(this.endOffset)
    this.#onRoll()
  }

  #begin(baseOffset: number): void {
    const name = { baseOffset, generation: 0 }
    const file = this.#store.open(name)
    // The file has to exist before its first batch: after a restart its name says which offset comes next.
    if (this.#segments.length > 0) file.append(Buffer.alloc(0))
    this.#segments.push(new Segment(name, file))
  }

  read(limits: ReadLimits): Buffer {
    const first = this.#segments.findLastIndex((each) => each.baseOffset <= limits.fromOffset)
    // Where the cleaner removed all the rest of a segment, the next record is in one behind it.
    for (let index = Math.max(first, 0); index < this.#segments.length; index += 1) {
      const records = this.#segments[index]?.read(limits)
      if (records) return records
    }
    return Buffer.alloc(0)
  }

  /** The segments that are not written to any more, oldest first. */
  get sealed(): readonly Segment[] {
    return this.#segments.slice(0, -1)
  }

  /** Begins to write a segment that is to replace a run of sealed ones. */
  rewrite(run: readonly Segment[]): SegmentRewrite {
    return new SegmentRewrite(this.#store, run)
  }

  /** Puts a segment in the place of those it was written from; false when one of them is gone meanwhile. */
  replace(rewrite: SegmentRewrite): boolean {
    const [oldest] = rewrite.run
    const at = oldest ? this.#segments.indexOf(oldest) : -1
    if (at < 0 || rewrite.run.some((segment, index) => this.#segments[at + index] !== segment)) return false
    // A power cut must not take the later record of a key when the earlier one is gone for good.
    for (const { file } of this.sealed) file.flush()
    this.#segments.splice(at, rewrite.run.length, rewrite.keep())
    for (const { name } of rewrite.run) this.#store.remove(name)
    return true
  }

  /** The batches that have a timestamp of at least `timestamp`, one after the other. */
  *batchesSince(timestamp: number): Generator<{ header: BatchHeader; batch: Buffer }> {
    for (const segment of this.#segments) {
      if (segment.maxTimestamp >= timestamp) yield* segment.batchesSince(timestamp, this.#startOffset)
    }
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
      this.#store.remove(first.name)
      this.#segments.shift()
    }
  }

  /** Drops the oldest segment, also the one that is written to; false when it is empty or has offsets from `beforeOffset` on. */
  dropOldest(beforeOffset: number): boolean {
    const [oldest] = this.#segments
    const isOnly = this.#segments.length === 1
    // The cleaner may have left an empty one before others.
    if (!oldest || (isOnly && oldest.size === 0) || oldest.nextOffset > beforeOffset) return false
    if (isOnly) this.#roll()
    this.advanceStart(oldest.nextOffset)
    return true
  }

  /**
   * Drops old segments: all by age, all but the active one by size, none with offsets from `beforeOffset` on.
   * Returns when the next one will be too old, if ever.
   */
  enforceRetention(now: number, beforeOffset: number): number | undefined {
    const canRoll = this.#active.size > 0 && this.endOffset <= beforeOffset
    if (canRoll && isTooOld(this.#active, now, this.#limits)) this.#roll()
    while (this.#segments.length > 1) {
      const [first] = this.#segments
      if (!first || first.nextOffset > beforeOffset) break
      if (!isTooOld(first, now, this.#limits) && !this.#isTooMuch(first)) break
      this.advanceStart(first.nextOffset)
    }
    return this.nextExpiry
  }

  #isTooMuch(first: Segment): boolean {
    return this.#limits.retentionBytes >= 0 && this.sizeInBytes - first.size >= this.#limits.retentionBytes
  }

  /** When the oldest segment has to be dropped: at a time, now because of the size (0), or never (undefined). */
  get nextExpiry(): number | undefined {
    const [oldest] = this.#segments
    if (!oldest || (oldest.size === 0 && this.#segments.length === 1)) return undefined
    if (this.#segments.length > 1 && this.#isTooMuch(oldest)) return 0
    return this.#limits.retentionMs < 0 ? undefined : oldest.newestMs + this.#limits.retentionMs
  }

  /** Cuts off every batch that ends at `offset` or later, and perhaps more. It must be opened anew: what was derived from it, too. */
  truncate(offset: number): void {
    this.flushing.stop()
    truncateSegments(this.#store, this.#segments, offset)
  }

  close(): void {
    if (this.#active.size > 0) this.#saveCheckpoint()
    this.flushing.stop()
    this.#active.file.seal()
  }

  /** Ends writing and saves nothing, as when its broker is killed. */
  abandon(): void {
    this.flushing.stop()
    this.#active.file.seal()
  }

  remove(): void {
    this.abandon()
    this.#store.removeAll()
  }
}
