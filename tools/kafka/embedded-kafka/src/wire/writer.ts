const FIRST_CHUNK = 256
const NO_COPY_FROM = 4096
const TWO_POW_32 = 4_294_967_296

/** Writes the protocol's primitive types into a list of buffers; large byte strings are referenced, not copied. */
export class Writer {
  readonly #done: Buffer[] = []
  #doneLength = 0
  #chunk = Buffer.allocUnsafe(FIRST_CHUNK)
  #start = 0
  #position = 0

  get length(): number {
    return this.#doneLength + this.#position - this.#start
  }

  #take(size: number): number {
    if (this.#position + size > this.#chunk.length) {
      this.#flush()
      this.#chunk = Buffer.allocUnsafe(Math.max(this.#chunk.length * 2, size))
      this.#start = 0
      this.#position = 0
    }
    const at = this.#position
    this.#position += size
    return at
  }

  #flush(): void {
    if (this.#position === this.#start) return
    const part = this.#chunk.subarray(this.#start, this.#position)
    this.#done.push(part)
    this.#doneLength += part.length
    this.#start = this.#position
  }

  int8(value: number): void {
    const at = this.#take(1)
    this.#chunk.writeInt8(value, at)
  }

  int16(value: number): void {
    const at = this.#take(2)
    this.#chunk.writeInt16BE(value, at)
  }

  int32(value: number): void {
    const at = this.#take(4)
    this.#chunk.writeInt32BE(value, at)
  }

  int64(value: number): void {
    const at = this.#take(8)
    this.#chunk.writeInt32BE(Math.floor(value / TWO_POW_32), at)
    this.#chunk.writeUInt32BE(value - Math.floor(value / TWO_POW_32) * TWO_POW_32, at + 4)
  }

  float64(value: number): void {
    const at = this.#take(8)
    this.#chunk.writeDoubleBE(value, at)
  }

  uvarint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.#byte((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.#byte(rest)
  }

  #byte(value: number): void {
    const at = this.#take(1)
    this.#chunk.writeUInt8(value, at)
  }

  bytes(value: Buffer): void {
    if (value.length < NO_COPY_FROM) {
      const at = this.#take(value.length)
      value.copy(this.#chunk, at)
      return
    }
    this.#flush()
    this.#done.push(value)
    this.#doneLength += value.length
  }

  /** Everything written, in order. Do not use the writer afterwards. */
  finish(): readonly Buffer[] {
    this.#flush()
    return this.#done
  }
}
