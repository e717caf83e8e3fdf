/** An append-only run of bytes, on disk or in memory. Everything is synchronous, so appends never interleave. */
export interface ByteFile {
  readonly size: number
  append(bytes: Buffer): void
  /** Up to `length` bytes from `position`; fewer where the file ends. The result must not be changed. */
  read(position: number, length: number): Buffer
  truncate(size: number): void
  /** Ends appending, and releases what only appending needs. */
  seal(): void
}

/** The segments of one partition, named by their base offset. */
export interface SegmentStore {
  /** Base offsets of the segments found, ascending. */
  list(): readonly number[]
  open(baseOffset: number): ByteFile
  /** Saves facts about a segment, so that it need not be read when it is opened again. */
  saveCheckpoint(baseOffset: number, checkpoint: unknown): void
  /** The facts saved last; undefined when there are none or they are damaged. */
  loadCheckpoint(baseOffset: number): unknown
  /** Copies a segment as it is, because its damaged part will be cut off. */
  setAside(baseOffset: number): void
  /** Removes a segment and its checkpoint. */
  remove(baseOffset: number): void
  removeAll(): void
}
