import { MalformedFrameError } from '../errors.ts'

const TWO_POW_32 = 4_294_967_296
/** The highest length in two bytes; compact lengths could be more. */
const MAX_TEXT_BYTES = 32_767
/** More than any sensible request has: a broker has a few thousand partitions. */
const MAX_ITEMS = 10_000

/** Reads the protocol's primitive types from one frame; throws MalformedFrameError when the frame ends too early. */
export class Reader {
  readonly #buffer: Buffer
  #position = 0
  #items = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
  }

  get remaining(): number {
    return this.#buffer.length - this.#position
  }

  #take(size: number): number {
    const at = this.#position
    if (size < 0 || at + size > this.#buffer.length) {
      throw new MalformedFrameError(`needed ${size} bytes at ${at} of ${this.#buffer.length}`)
    }
    this.#position = at + size
    return at
  }

  int8(): number {
    return this.#buffer.readInt8(this.#take(1))
  }

  int16(): number {
    return this.#buffer.readInt16BE(this.#take(2))
  }

  int32(): number {
    return this.#buffer.readInt32BE(this.#take(4))
  }

  /** Values beyond ±2^53 become ±2^53: the broker counts nothing that high. */
  int64(): number {
    const at = this.#take(8)
    const value = this.#buffer.readInt32BE(at) * TWO_POW_32 + this.#buffer.readUInt32BE(at + 4)
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
  }

  float64(): number {
    return this.#buffer.readDoubleBE(this.#take(8))
  }

  uvarint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#buffer.readUInt8(this.#take(1))
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new MalformedFrameError('a variable-length integer is longer than five bytes')
  }

  /** Call before reading this many items. Refuses more than the frame can hold (a byte each), and too many in one frame. */
  items(count: number): void {
    this.#items += count
    if (count <= this.remaining && this.#items <= MAX_ITEMS) return
    throw new MalformedFrameError(
      `${this.#items} items with ${this.remaining} bytes left; at most ${MAX_ITEMS} are read`,
    )
  }

  text(size: number): string {
    if (size > MAX_TEXT_BYTES)
      throw new MalformedFrameError(`a text of ${size} bytes; at most ${MAX_TEXT_BYTES} are read`)
    const at = this.#take(size)
    return this.#buffer.toString('utf8', at, at + size)
  }

  /** A view of the frame, not a copy. */
  bytes(size: number): Buffer {
    const at = this.#take(size)
    return this.#buffer.subarray(at, at + size)
  }
}
