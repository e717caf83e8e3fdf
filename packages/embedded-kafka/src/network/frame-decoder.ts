import { MalformedFrameError } from '../errors.ts'

const LENGTH_BYTES = 4

/** Cuts the byte stream of a connection into frames: four bytes of length, then that many bytes. */
export class FrameDecoder {
  readonly #maxFrameBytes: number
  #chunks: Buffer[] = []
  #buffered = 0
  #needed = LENGTH_BYTES
  #inBody = false

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes
  }

  /** Takes what arrived and returns the frames that are now whole; throws on a length out of bounds. */
  push(chunk: Buffer): readonly Buffer[] {
    this.#chunks.push(chunk)
    this.#buffered += chunk.length
    const frames: Buffer[] = []
    while (this.#buffered >= this.#needed) {
      const bytes = this.#take(this.#needed)
      if (this.#inBody) {
        frames.push(bytes)
        this.#needed = LENGTH_BYTES
      } else {
        this.#needed = this.#checkedLength(bytes.readInt32BE(0))
      }
      this.#inBody = !this.#inBody
    }
    return frames
  }

  #checkedLength(length: number): number {
    if (length > 0 && length <= this.#maxFrameBytes) return length
    throw new MalformedFrameError(`a frame of ${length} bytes; 1 to ${this.#maxFrameBytes} are allowed`)
  }

  #take(size: number): Buffer {
    const [first] = this.#chunks
    if (first && first.length >= size) {
      this.#buffered -= size
      if (first.length === size) this.#chunks.shift()
      else this.#chunks[0] = first.subarray(size)
      return first.subarray(0, size)
    }
    const all = Buffer.concat(this.#chunks, this.#buffered)
    this.#chunks = size < all.length ? [all.subarray(size)] : []
    this.#buffered -= size
    return all.subarray(0, size)
  }
}
