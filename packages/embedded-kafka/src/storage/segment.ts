import {
  BATCH_HEADER_BYTES,
  type BatchHeader,
  batchSize,
  hasValidChecksum,
  readBatchHeader,
} from '../records/record-batch.ts'
import type { ByteFile } from './byte-file.ts'

/** An index entry at least every so many bytes bounds what a read has to skip. */
const INDEX_INTERVAL_BYTES = 4096
const SCAN_CHUNK_BYTES = 1024 * 1024

/** A place in the segment: the batch that starts at `position` begins with `offset`. */
interface IndexEntry {
  readonly offset: number
  readonly position: number
  /** The highest timestamp of all batches before this one. */
  readonly maxTimestampBefore: number
}

/** A segment's bookkeeping at the time its file had this size. */
export interface SegmentCheckpoint {
  readonly size: number
  readonly nextOffset: number
  readonly maxTimestamp: number
  readonly index: readonly IndexEntry[]
}

/** What a read may return. */
export interface ReadLimits {
  readonly fromOffset: number
  /** Only batches that end before this offset. */
  readonly beforeOffset: number
  readonly maxBytes: number
  /** Return the first batch even when it is larger than `maxBytes`. */
  readonly atLeastOne: boolean
}

/** One file of whole record batches with ascending offsets. */
export class Segment {
  readonly baseOffset: number
  readonly file: ByteFile
  readonly #index: IndexEntry[] = []
  #nextOffset: number
  #maxTimestamp = -1

  constructor(baseOffset: number, file: ByteFile) {
    this.baseOffset = baseOffset
    this.file = file
    this.#nextOffset = baseOffset
  }

  get nextOffset(): number {
    return this.#nextOffset
  }

  get maxTimestamp(): number {
    return this.#maxTimestamp
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

  /** Reads the file from its start, cuts it behind the last whole and sound batch, and reports every batch kept. */
  recover(onBatch: (header: BatchHeader, batch: Buffer) => void): void {
    let position = 0
    for (const { header, batch } of this.#batches(0)) {
      if (header.magic !== 2 || header.baseOffset < this.#nextOffset || header.lastOffset < header.baseOffset) break
      if (!hasValidChecksum(batch)) break
      this.#note(header, position)
      onBatch(header, batch)
      position += header.size
    }
    if (position < this.file.size) this.file.truncate(position)
  }

  /** What opening this file again would have to find out by reading all of it. */
  checkpoint(): SegmentCheckpoint {
    return { size: this.size, nextOffset: this.#nextOffset, maxTimestamp: this.#maxTimestamp, index: this.#index }
  }

  /** Takes a checkpoint for the truth when the file is as long as it says; returns whether it did. */
  restore(checkpoint: SegmentCheckpoint): boolean {
    if (checkpoint.size !== this.size) return false
    this.#nextOffset = checkpoint.nextOffset
    this.#maxTimestamp = checkpoint.maxTimestamp
    for (const entry of checkpoint.index) this.#index.push(entry)
    return true
  }

  *#batches(from: number): Generator<{ header: BatchHeader; batch: Buffer }> {
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
        // A claimed size beyond the file is a torn tail; a batch longer than one chunk is read in one piece.
        if (whole > this.file.size - position) return
        if (whole > chunk.length) chunk = this.file.read(position, whole)
      }
      const header = readBatchHeader(chunk, at)
      if (!header || header.size < BATCH_HEADER_BYTES) return
      yield { header, batch: chunk.subarray(at, at + header.size) }
      at += header.size
    }
  }

  /** Whole batches from the one that holds `fromOffset` on. */
  read(limits: ReadLimits): Buffer {
    const start = this.#positionBefore(limits.fromOffset)
    const chunk = this.file.read(start, INDEX_INTERVAL_BYTES + limits.maxBytes)
    let first = 0
    let end = 0
    let started = false
    while (true) {
      const header = this.#headerAt(chunk, start, end)
      if (!header || header.baseOffset >= limits.beforeOffset) break
      if (!started && header.lastOffset < limits.fromOffset) {
        end += header.size
        first = end
        continue
      }
      const fits = end + header.size - first <= limits.maxBytes
      if (!fits && (started || !limits.atLeastOne)) break
      if (end + header.size > chunk.length) {
        return started ? chunk.subarray(first, end) : this.file.read(start + end, header.size)
      }
      started = true
      end += header.size
    }
    return chunk.subarray(first, end)
  }

  /** The header at `at` of a chunk that begins at `start`, also where the chunk ends within or before it. */
  #headerAt(chunk: Buffer, start: number, at: number): BatchHeader | undefined {
    return readBatchHeader(chunk, at) ?? readBatchHeader(this.file.read(start + at, BATCH_HEADER_BYTES))
  }

  #positionBefore(offset: number): number {
    return this.#search((entry) => entry.offset <= offset)?.position ?? 0
  }

  /** The last index entry of the leading run that satisfies `accepts`. */
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

  /** The first batch at or after `fromOffset` with a timestamp of at least `timestamp`. */
  batchByTimestamp(timestamp: number, fromOffset: number): { header: BatchHeader; batch: Buffer } | undefined {
    const entry = this.#search((each) => each.maxTimestampBefore < timestamp)
    for (const found of this.#batches(entry?.position ?? 0)) {
      if (found.header.lastOffset >= fromOffset && found.header.maxTimestamp >= timestamp) return found
    }
    return undefined
  }
}
