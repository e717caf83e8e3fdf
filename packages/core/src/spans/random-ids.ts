const POOL_WORDS = 2048
const TRACE_ID_DIGITS = 32
const SPAN_ID_DIGITS = 16

/**
 * Ids after W3C Trace Context, of random digits that are made many at a time: asked for one by one they would cost more than the span. They
 * are no secrets, and loading Node's cryptography would be noticed in the start of a service that needs it for nothing else.
 */
export class RandomIds {
  readonly #words = new Uint32Array(POOL_WORDS)
  #digits = ''
  #at = 0

  traceId(): string {
    return this.#next(TRACE_ID_DIGITS)
  }

  spanId(): string {
    return this.#next(SPAN_ID_DIGITS)
  }

  #next(length: number): string {
    const start = this.#at
    const end = start + length
    if (end > this.#digits.length) {
      for (let index = 0; index < POOL_WORDS; index += 1) this.#words[index] = Math.random() * 2 ** 32
      this.#digits = Buffer.from(this.#words.buffer).toString('hex')
      this.#at = 0
      return this.#next(length)
    }
    this.#at = end
    const id = this.#digits.slice(start, end)
    // Zeros alone are no id.
    return id.startsWith('00000000') && /^0+$/.test(id) ? this.#next(length) : id
  }
}
