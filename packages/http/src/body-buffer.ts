const NOTHING = Buffer.alloc(0)

/**
 * The chunks of a body, joined as they come: a client may send each byte as its own chunk, and a list of a million buffers takes a hundred
 * times the memory.
 */
export class BodyBuffer {
  #bytes: Buffer = NOTHING
  #length = 0

  get length(): number {
    return this.#length
  }

  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.length
    if (this.#length === 0) {
      this.#bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    } else {
      if (length > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(length * 2)
        this.#bytes.copy(larger, 0, 0, this.#length)
        this.#bytes = larger
      }
      this.#bytes.set(chunk, this.#length)
    }
    this.#length = length
  }

  clear(): void {
    this.#bytes = NOTHING
    this.#length = 0
  }

  /** What has come so far; nothing can be added afterwards. */
  get bytes(): Buffer {
    const isWhole = this.#bytes.length === this.#length
    return isWhole ? this.#bytes : Buffer.from(this.#bytes.subarray(0, this.#length))
  }
}
