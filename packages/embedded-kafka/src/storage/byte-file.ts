/** An append-only run of bytes, on disk or in memory. Everything is synchronous, so appends never interleave. */
export interface ByteFile {
  readonly size: number
  append(bytes: Buffer): void
  /** Up to `length` bytes from `position`; fewer where the file ends. The result must not be changed. */
  read(position: number, length: number): Buffer
  truncate(size: number): void
  /** Releases what only an appending file needs; reading stays possible. */
  seal(): void
  /** Gives the bytes up for ever. */
  remove(): void
}

/** Where the segments of one partition live, named by their base offset. */
export interface SegmentStore {
  /** Base offsets of the segments found, ascending. */
  list(): readonly number[]
  open(baseOffset: number): ByteFile
  /** Gives the whole partition up for ever. */
  remove(): void
}
