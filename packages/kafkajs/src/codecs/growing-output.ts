const FIRST_ALLOCATION_BYTES = 4096
/** Takes a millisecond at most. */
const STEP_BYTES = 65_536
/** Up to here a loop is faster than a call. */
const SHORT_BYTES = 32

/** The output of a decoder. Its memory is at most twice the bytes written, and never beyond the limit. */
export class GrowingOutput {
  readonly #maxBytes: number
  #bytes = Buffer.alloc(0)
  #size = 0
  #stepEndsAt = STEP_BYTES

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#size
  }

  /** Refuses so many further bytes at once when they are too many. */
  expect(length: number): void {
    if (this.#size + length > this.#maxBytes)
      throw new RangeError(`more than ${this.#maxBytes} bytes when decompressed`)
  }

  #reserve(length: number): void {
    this.expect(length)
    const needed = this.#size + length
    if (needed <= this.#bytes.length) return
    const size = Math.min(this.#maxBytes, Math.max(needed, this.#bytes.length * 2, FIRST_ALLOCATION_BYTES))
    const grown = Buffer.allocUnsafeSlow(size)
    this.#bytes.copy(grown, 0, 0, this.#size)
    this.#bytes = grown
  }

  /** Writes `length` bytes of the input from `at`. */
  literal(input: Buffer, at: number, length: number): void {
    if (length < 0 || at + length > input.length) throw new RangeError('compressed bytes end too early')
    this.#reserve(length)
    const bytes = this.#bytes
    const to = this.#size
    if (length > SHORT_BYTES) input.copy(bytes, to, at, at + length)
    else for (let i = 0; i < length; i += 1) bytes[to + i] = input[at + i] as number
    this.#size += length
  }

  /** Writes `length` bytes again that were written `distance` bytes ago; the two may overlap. */
  again(distance: number, length: number): void {
    if (distance < 1 || distance > this.#size) throw new RangeError('compressed bytes refer to what is not there')
    this.#reserve(length)
    const bytes = this.#bytes
    const to = this.#size
    const from = to - distance
    if (length > SHORT_BYTES) repeat(bytes, { from, to, length })
    else for (let i = 0; i < length; i += 1) bytes[to + i] = bytes[from + i] as number
    this.#size += length
  }

  /** True when `STEP_BYTES` were written since the last time: the decoder then yields to other work. */
  get isStepDone(): boolean {
    if (this.#size < this.#stepEndsAt) return false
    this.#stepEndsAt = this.#size + STEP_BYTES
    return true
  }

  result(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }
}

/** Repeats the bytes between `from` and `to`; each copy has twice the size of the one before. */
function repeat(bytes: Buffer, { from, to, length }: Readonly<Record<'from' | 'to' | 'length', number>>): void {
  const end = to + length
  for (let at = to; at < end; ) {
    const size = Math.min(at - from, end - at)
    bytes.copyWithin(at, from, from + size)
    at += size
  }
}
