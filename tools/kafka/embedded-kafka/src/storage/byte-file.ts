import type { SegmentName } from './segment-name.ts'

/** Gives a buffer of a size whose bytes may hold anything. Default: `Buffer.allocUnsafe`. */
export type Allocate = (size: number) => Buffer

/** An append-only run of bytes, on disk or in memory. Everything is synchronous, so appends never interleave. */
export interface ByteFile {
  readonly size: number
  /** When something was appended last, in milliseconds since 1970. */
  readonly modifiedMs: number
  append(bytes: Buffer): void
  /**
   * Up to `length` bytes from `position`; fewer where the file ends. The result must not be changed. They are in a buffer that `allocate`
   * gives for their number, or where they are kept.
   */
  read(position: number, length: number, allocate?: Allocate): Buffer
  truncate(size: number): void
  /** Everything is on the device then, and survives a power cut. Does nothing where nothing is new. */
  flush(): void
  /** Ends appending, and releases what only appending needs. */
  seal(): void
}

/** A segment that is being written in place of others: it counts from when it is kept. */
export interface SegmentDraft {
  readonly file: ByteFile
  /** At once and completely, also when the process is killed or the power fails. */
  keep(): void
  /** Removes it. */
  drop(): void
}

/** The segments of one partition. */
export interface SegmentStore {
  /** The segments found, by their base offsets. */
  list(): readonly SegmentName[]
  open(name: SegmentName): ByteFile
  /** Begins a segment that will replace those in its range of offsets. */
  draft(name: SegmentName): SegmentDraft
  /** Saves facts about a segment, so that it need not be read when it is opened again; for good, with `isFlushed`. */
  saveCheckpoint(name: SegmentName, checkpoint: unknown, options?: { readonly isFlushed: boolean }): void
  /** The facts saved last; undefined when there are none, they are damaged, or a power cut may have made them wrong. */
  loadCheckpoint(name: SegmentName): unknown
  /** Copies a segment as it is, because its damaged part will be cut off. */
  setAside(name: SegmentName): void
  /** Removes a segment and its checkpoint. */
  remove(name: SegmentName): void
  removeAll(): void
}
