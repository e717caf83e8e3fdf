import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'

/** The longest variable-length number: 64 bits, seven in each byte. */
const MAX_VARINT_BYTES = 10

/** Reads the parts of records; throws INVALID_RECORD where a part is longer than what is left. */
export class RecordCursor {
  readonly #bytes: Buffer
  #at: number
  #end: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
    this.#end = bytes.length
  }

  get at(): number {
    return this.#at
  }

  get left(): number {
    return this.#end - this.#at
  }

  /** A zigzag varint. Beyond ±2^53 it is not exact. */
  varint(): number {
    let raw = 0
    let factor = 1
    for (let count = 0; count < MAX_VARINT_BYTES && this.#at < this.#end; count += 1) {
      const byte = this.#bytes[this.#at++] as number
      raw += (byte & 0x7f) * factor
      if (byte < 0x80) return raw % 2 === 1 ? -(raw + 1) / 2 : raw / 2
      factor *= 0x80
    }
    throw invalid('a number does not end')
  }

  skip(size: number): void {
    if (!(size >= 0 && size <= this.left)) throw invalid(`a length of ${size} bytes, ${this.left} are left`)
    this.#at += size
  }

  /** Skips bytes and the length before them, which is -1 for none. */
  skipNullable(): void {
    const size = this.varint()
    if (size !== -1) this.skip(size)
  }

  /** The next bytes, which are not copied. */
  take(size: number): Buffer {
    this.skip(size)
    return this.#bytes.subarray(this.#at - size, this.#at)
  }

  /** Bytes and the length before them, which is -1 for none. */
  takeNullable(): Buffer | null {
    const size = this.varint()
    return size === -1 ? null : this.take(size)
  }

  /** Calls `read` with the cursor limited to the next `size` bytes, all of which it has to read. */
  within(size: number, read: () => void): void {
    const outer = this.#end
    if (!(size >= 0 && size <= this.left)) throw invalid(`a length of ${size} bytes, ${this.left} are left`)
    this.#end = this.#at + size
    read()
    if (this.left !== 0) throw invalid(`${this.left} bytes that belong to nothing`)
    this.#end = outer
  }
}

export function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_RECORD, message)
}
