/** Longer texts are written by Buffer itself: a call into it costs as much as so many characters. */
const SHORT = 24
/** A varint of 64 bits. */
const MAX_VARINT = 10

/** Fields with numbers from 1 to 15 have tags of one byte: their number, and how they are written. */
export const varintTag = (field: number) => field << 3
export const fixed64Tag = (field: number) => (field << 3) | 1
export const bytesTag = (field: number) => (field << 3) | 2
export const fixed32Tag = (field: number) => (field << 3) | 5

/** Writes protobuf in one pass, each length once what it is of has been written. */
export class ProtobufWriter {
  #bytes: Buffer
  #at = 0

  /** `size` is what is expected; it grows. */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size)
  }

  /** What has been written. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#at)
  }

  /** Begins a message; gives what {@link end} takes. */
  begin(tag: number): number {
    this.#room(MAX_VARINT)
    this.#bytes[this.#at] = tag
    // Of a length below 128, which most have.
    this.#at += 2
    return this.#at
  }

  end(start: number): void {
    const length = this.#at - start
    if (length < 128) this.#bytes[start - 1] = length
    else {
      this.#room(MAX_VARINT)
      const moved = varintSize(length) - 1
      this.#bytes.copyWithin(start + moved, start, this.#at)
      this.#at = start - 1
      this.#varint(length)
      this.#at += length
    }
  }

  text(tag: number, value: string): void {
    this.#room(value.length * 3 + MAX_VARINT)
    this.#bytes[this.#at++] = tag
    if (value.length <= SHORT && this.#ascii(value)) return
    // As if it was ASCII, which most texts are.
    const start = this.#at + varintSize(value.length)
    const size = this.#bytes.write(value, start, 'utf8')
    const moved = varintSize(size) - varintSize(value.length)
    if (moved > 0) this.#bytes.copyWithin(start + moved, start, start + size)
    this.#varint(size)
    this.#at += size
  }

  /** Writes a short text if it is ASCII; else nothing. */
  #ascii(value: string): boolean {
    const start = this.#at + 1
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index)
      if (code > 127) return false
      this.#bytes[start + index] = code
    }
    this.#bytes[this.#at] = value.length
    this.#at = start + value.length
    return true
  }

  bytes(tag: number, value: Uint8Array): void {
    this.#room(value.length + MAX_VARINT)
    this.#bytes[this.#at++] = tag
    this.#varint(value.length)
    this.#bytes.set(value, this.#at)
    this.#at += value.length
  }

  /** An id of so many bytes, below 128, that is given as hex; one that is none is all zeros. */
  id(tag: number, value: string, size: number): void {
    this.#room(size + MAX_VARINT)
    this.#bytes[this.#at++] = tag
    this.#bytes[this.#at++] = size
    const written = value.length === size * 2 ? this.#bytes.write(value, this.#at, 'hex') : 0
    if (written !== size) this.#bytes.fill(0, this.#at, this.#at + size)
    this.#at += size
  }

  /** An integer of 64 bits. */
  integer(tag: number, value: number): void {
    this.#room(1 + MAX_VARINT)
    this.#bytes[this.#at++] = tag
    if (value >= 0 && value <= 0x7fff_ffff) this.#varint(value)
    else this.#bigVarint(BigInt.asUintN(64, BigInt(value)))
  }

  double(tag: number, value: number): void {
    this.#room(9)
    this.#bytes[this.#at++] = tag
    this.#at = this.#bytes.writeDoubleLE(value, this.#at)
  }

  /** Nanoseconds since 1970. */
  time(tag: number, [seconds, nanos]: readonly [seconds: number, nanos: number]): void {
    this.#room(9)
    this.#bytes[this.#at++] = tag
    // A second is 1,953,125 times 512 ns: no part is beyond what a number has exactly.
    const units = seconds * 1_953_125
    const low = (units % 2 ** 23) * 512 + nanos
    this.#at = this.#bytes.writeUInt32LE(low % 2 ** 32, this.#at)
    this.#at = this.#bytes.writeUInt32LE(Math.floor(units / 2 ** 23) + Math.floor(low / 2 ** 32), this.#at)
  }

  /** The field of number 16, which has a tag of two bytes. */
  fixed32Of16(value: number): void {
    this.#room(6)
    this.#at = this.#bytes.writeUInt16LE(0x0185, this.#at)
    this.#at = this.#bytes.writeUInt32LE(value, this.#at)
  }

  fixed32(tag: number, value: number): void {
    this.#room(5)
    this.#bytes[this.#at++] = tag
    this.#at = this.#bytes.writeUInt32LE(value, this.#at)
  }

  /** Of 31 bits. */
  #varint(value: number): void {
    let left = value
    for (; left > 127; left >>>= 7) this.#bytes[this.#at++] = (left & 127) | 128
    this.#bytes[this.#at++] = left
  }

  #bigVarint(value: bigint): void {
    let left = value
    for (; left > 127n; left >>= 7n) this.#bytes[this.#at++] = Number(left & 127n) | 128
    this.#bytes[this.#at++] = Number(left)
  }

  #room(size: number): void {
    if (this.#at + size <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + size))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}

/** Of 31 bits. */
function varintSize(value: number): number {
  return value < 128 ? 1 : value < 2 ** 14 ? 2 : value < 2 ** 21 ? 3 : value < 2 ** 28 ? 4 : 5
}
