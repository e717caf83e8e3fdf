import { invalid } from './record-cursor.ts'

const FIRST_ALLOCATION_BYTES = 4096

/** What a decoder has written so far. Memory grows with what is written, to twice of it at most, and never beyond the limit. */
export class GrowingOutput {
  readonly #maxBytes: number
  #bytes = Buffer.alloc(0)
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#size
  }

  #reserve(length: number): void {
    const needed = this.#size + length
    if (needed > this.#maxBytes) throw invalid(`more than ${this.#maxBytes} bytes when decompressed`)
    if (needed <= this.#bytes.length) return
    const size = Math.min(this.#maxBytes, Math.max(needed, this.#bytes.length * 2, FIRST_ALLOCATION_BYTES))
    const grown = Buffer.allocUnsafeSlow(size)
    this.#bytes.copy(grown, 0, 0, this.#size)
    this.#bytes = grown
  }

  /** Writes `length` bytes of the input from `at`. */
  literal(input: Buffer, at: number, length: number): void {
    if (length < 0 || at + length > input.length) throw invalid('compressed bytes end too early')
    this.#reserve(length)
    input.copy(this.#bytes, this.#size, at, at + length)
    this.#size += length
  }

  /** Writes `length` bytes again that were written `distance` bytes ago; the two may overlap. */
  again(distance: number, length: number): void {
    if (distance < 1 || distance > this.#size) throw invalid('compressed bytes refer to what is not there')
    this.#reserve(length)
    const from = this.#size - distance
    if (distance >= length) this.#bytes.copyWithin(this.#size, from, from + length)
    else for (let i = 0; i < length; i += 1) this.#bytes[this.#size + i] = this.#bytes[from + i] as number
    this.#size += length
  }

  result(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }
}
