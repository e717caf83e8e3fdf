import type { ByteFile, SegmentStore } from './byte-file.ts'

const INITIAL_BYTES = 4096

/** In memory, gone with the process. */
export class MemoryFile implements ByteFile {
  #buffer: Buffer = Buffer.allocUnsafe(0)
  #size = 0

  get size(): number {
    return this.#size
  }

  append(bytes: Buffer): void {
    const needed = this.#size + bytes.length
    if (needed > this.#buffer.length) {
      // A new buffer: slices of the old one that readers have stay valid.
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2, INITIAL_BYTES))
      this.#buffer.copy(grown, 0, 0, this.#size)
      this.#buffer = grown
    }
    bytes.copy(this.#buffer, this.#size)
    this.#size = needed
  }

  read(position: number, length: number): Buffer {
    return this.#buffer.subarray(position, Math.min(position + length, this.#size))
  }

  truncate(size: number): void {
    this.#size = Math.min(size, this.#size)
  }

  seal(): void {
    // A sealed file does not grow, so the spare room can go.
    this.#buffer = Buffer.from(this.#buffer.subarray(0, this.#size))
  }
}

/** Keeps no checkpoints: the data is gone after a restart. */
export function memorySegments(): SegmentStore {
  return {
    list: () => [],
    open: () => new MemoryFile(),
    draft: () => ({ file: new MemoryFile(), keep: () => {}, drop: () => {} }),
    saveCheckpoint: () => {},
    loadCheckpoint: () => undefined,
    setAside: () => {},
    remove: () => {},
    removeAll: () => {},
  }
}
