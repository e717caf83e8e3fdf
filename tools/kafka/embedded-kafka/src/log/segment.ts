import {
  BATCH_HEADER_BYTES,
  type BatchHeader,
  batchSize,
  hasValidChecksum,
  readBatchHeader,
} from '../records/record-batch.ts'
import type { Allocate, ByteFile } from '../storage/byte-file.ts'
import type { SegmentName } from '../storage/segment-name.ts'

/** Bytes between two index entries: a read skips no more than that. */
const INDEX_INTERVAL_BYTES = 4096
const SCAN_CHUNK_BYTES = 1024 * 1024

/** The batch that starts at `position` begins with `offset`. */
interface IndexEntry {
  readonly offset: number
  readonly position: number
  /** The highest timestamp of all batches before this one. */
  readonly maxTimestampBefore: number
}

/** Facts about a segment's file at this size. */
export interface SegmentCheckpoint {
  readonly size: number
  readonly nextOffset: number
  readonly maxTimestamp: number
  readonly index: readonly IndexEntry[]
}

export interface ReadLimits {
  readonly fromOffset: number
  /** Only batches that end before this offset. */
  readonly beforeOffset: number
  readonly maxBytes: number
  /** Return the first batch even when it is larger than `maxBytes`. */
  readonly atLeastOne: boolean
  /** Where the batches are put. */
  readonly allocate?: Allocate | undefined
}

/** One file of whole record batches with ascending offsets. */
export class Segment {
  readonly name: SegmentName
  readonly file: ByteFile
  readonly #index: IndexEntry[] = []
  #nextOffset: number
  #maxTimestamp = -1
  #firstTimestamp: number | undefined

  constructor(name: SegmentName, file: ByteFile) {
    this.name = name
    this.file = file
    this.#nextOffset = name.baseOffset
  }

  get baseOffset(): number {
    return this.name.baseOffset
  }

  /** The offset after the segment. Of one that was cleaned the last records may be gone: its name says where it ends. */
  get nextOffset(): number {
    return this.name.endOffset ?? this.#nextOffset
  }

  /** The highest timestamp of the first batch, -1 without one. */
  get firstTimestamp(): number {
    if (this.#firstTimestamp !== undefined || this.size === 0) return this.#firstTimestamp ?? -1
    this.#firstTimestamp = readBatchHeader(this.file.read(0, BATCH_HEADER_BYTES))?.maxTimestamp ?? -1
    return this.#firstTimestamp
  }

  get maxTimestamp(): number {
    return this.#maxTimestamp
  }

  /** The time by which it is old: as in Apache Kafka the one of its file where no record has one; of an empty segment -1. */
  get newestMs(): number {
    return this.#maxTimestamp >= 0 || this.size === 0 ? this.#maxTimestamp : this.file.modifiedMs
  }

  get size(): number {
    return this.file.size
  }

  append(batch: Buffer, header: BatchHeader): void {
    const position = this.file.size
    this.file.append(batch)
    this.#note(header, position)
  }

  #note(header: BatchHeader, position: number): void {
    const last = this.#index.at(-1)
    if (!last || position - last.position >= INDEX_INTERVAL_BYTES) {
      this.#index.push({ offset: header.baseOffset, position, maxTimestampBefore: this.#maxTimestamp })
    }
    this.#nextOffset = header.lastOffset + 1
    this.#maxTimestamp = Math.max(this.#maxTimestamp, header.maxTimestamp)
  }

  /**
   * Reads the whole file, reports every batch, and cuts the file before the first bad one. An incomplete batch at the end comes from a kill;
   * before a complete but damaged batch is cut off, `onDamage` is called.
   */
  recover(onBatch: (header: BatchHeader, batch: Buffer) => void, onDamage: () => void = () => {}): void {
    let position = 0
    for (const { header, batch } of this.batches()) {
      const isNext = header.baseOffset >= this.#nextOffset && header.lastOffset >= header.baseOffset
      if (header.magic !== 2 || !isNext || !hasValidChecksum(batch)) {
        onDamage()
        break
      }
      this.#note(header, position)
      onBatch(header, batch)
      position += header.size
    }
    if (position < this.file.size) this.file.truncate(position)
  }

  /** With this, the file need not be read when it is opened again. */
  checkpoint(): SegmentCheckpoint {
    return { size: this.size, nextOffset: this.#nextOffset, maxTimestamp: this.#maxTimestamp, index: this.#index }
  }

  /** Uses a checkpoint if the file still has its size; returns whether it did. */
  restore(checkpoint: SegmentCheckpoint): boolean {
    if (checkpoint.size !== this.size) return false
    this.#nextOffset = checkpoint.nextOffset
    this.#maxTimestamp = checkpoint.maxTimestamp
    for (const entry of checkpoint.index) this.#index.push(entry)
    return true
  }

  /** All batches from one position on. */
  *batches(from = 0): Generator<{ header: BatchHeader; batch: Buffer }> {
    let position = from
    let chunk = this.file.read(position, SCAN_CHUNK_BYTES)
    let at = 0
    while (true) {
      const size = batchSize(chunk, at)
      if (size === undefined || at + size > chunk.length) {
        position += at
        const wanted = Math.max(SCAN_CHUNK_BYTES, size ?? 0)
        chunk = this.file.read(position, wanted)
        at = 0
        const whole = batchSize(chunk, 0)
        if (whole === undefined || whole < BATCH_HEADER_BYTES) return
        // A batch that claims to be longer than the file was cut off; one longer than a chunk is read in one piece.
        if (whole > this.file.size - position) return
        if (whole > chunk.length) chunk = this.file.read(position, whole)
      }
      const header = readBatchHeader(chunk, at)
      if (!header || header.size < BATCH_HEADER_BYTES) return
      yield { header, batch: chunk.subarray(at, at + header.size) }
      at += header.size
    }
  }

  /** Whole batches from the first one that ends at `fromOffset` or later; undefined when there is none in this segment. */
  read(limits: ReadLimits): Buffer | undefined {
    const start = this.#positionBefore(limits.fromOffset)
    const chunk = this.file.read(start, INDEX_INTERVAL_BYTES + limits.maxBytes, limits.allocate)
    let first = 0
    let end = 0
    let started = false
    while (true) {
      const header = this.#headerAt(chunk, start, end)
      if (!header && !started) return undefined
      if (!header || header.baseOffset >= limits.beforeOffset) break
      if (!started && header.lastOffset < limits.fromOffset) {
        end += header.size
        first = end
        continue
      }
      const fits = end + header.size - first <= limits.maxBytes
      if (!fits && (started || !limits.atLeastOne)) break
      if (end + header.size > chunk.length) {
        return started ? chunk.subarray(first, end) : this.file.read(start + end, header.size, limits.allocate)
      }
      started = true
      end += header.size
    }
    return chunk.subarray(first, end)
  }

  /** The header at `at` of a chunk that begins at `start`; read from the file when the chunk ends before the header does. */
  #headerAt(chunk: Buffer, start: number, at: number): BatchHeader | undefined {
    return readBatchHeader(chunk, at) ?? readBatchHeader(this.file.read(start + at, BATCH_HEADER_BYTES))
  }

  /** Where the first batch begins that ends at `offset` or later; the end of the file without one. */
  positionOf(offset: number): number {
    let position = this.#positionBefore(offset)
    for (const { header } of this.batches(position)) {
      if (header.lastOffset >= offset) break
      position += header.size
    }
    return position
  }

  #positionBefore(offset: number): number {
    return this.#search((entry) => entry.offset <= offset)?.position ?? 0
  }

  /** All batches before this position are older than `timestamp`. */
  #positionSince(timestamp: number): number {
    return this.#search((entry) => entry.maxTimestampBefore < timestamp)?.position ?? 0
  }

  /** The last index entry that `accepts`, which must be true for the first ones and false for all others. */
  #search(accepts: (entry: IndexEntry) => boolean): IndexEntry | undefined {
    let low = 0
    let high = this.#index.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = this.#index[middle]
      if (entry && accepts(entry)) low = middle + 1
      else high = middle
    }
    return this.#index[low - 1]
  }

  /** The batches at or after `fromOffset` with a timestamp of at least `timestamp`. */
  *batchesSince(timestamp: number, fromOffset: number): Generator<{ header: BatchHeader; batch: Buffer }> {
    const start = Math.max(this.#positionSince(timestamp), this.#positionBefore(fromOffset))
    for (const found of this.batches(start)) {
      if (found.header.lastOffset >= fromOffset && found.header.maxTimestamp >= timestamp) yield found
    }
  }
}
