/** An append-only run of bytes, on disk or in memory. Everything is synchronous, so appends never interleave. */
export interface ByteFile {
  readonly size: number
  append(bytes: Buffer): void
  /** Up to `length` bytes from `position`; fewer where the file ends. The result must not be changed. */
  read(position: number, length: number): Buffer
  truncate(size: number): void
  /** Releases what only an appending file needs; reading stays possible. */
  seal(): void
}

/** Where the segments of one partition live, named by their base offset. */
export interface SegmentStore {
  /** Base offsets of the segments found, ascending. */
  list(): readonly number[]
  open(baseOffset: number): ByteFile
  /** Keeps what is known of a segment, so that opening it again need not read it. */
  saveCheckpoint(baseOffset: number, checkpoint: unknown): void
  /** What was kept last, or undefined when there is nothing or it is not whole. */
  loadCheckpoint(baseOffset: number): unknown
  /** Gives one segment and its checkpoint up for ever. */
  remove(baseOffset: number): void
  /** Gives the whole partition up for ever. */
  removeAll(): void
}
