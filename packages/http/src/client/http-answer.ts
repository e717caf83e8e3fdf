import { BodyBuffer } from '../body-buffer.ts'
import type { SomeBody } from '../read-body.ts'
import type { AnswerHead, AnswerHeaders } from './answer-head.ts'

/** The head of an answer, and its body when it is asked for: by one call of `read` or `discard`. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: AnswerHeaders
  /** Reads at most `limitBytes`; drops the connection if there is more. Never rejects. */
  read(limitBytes: number): Promise<SomeBody>
  /** The body does not matter: a short one is read, so that the connection serves again, and a long or slow one dropped. */
  discard(): void
}

/** What an answer does to its connection. */
export interface AnswerSource {
  pause(): void
  resume(): void
  /** Ends it, with what is still to come. */
  drop(): void
}

/** Read of an unwanted body, and kept of one that nobody has asked for yet. */
const UNWANTED_BYTES = 64 * 1024
const UNWANTED_MS = 5000

/** An answer whose body comes in pieces. */
export class IncomingAnswer implements HttpAnswer {
  readonly #head: AnswerHead
  readonly #source: AnswerSource
  readonly #body = new BodyBuffer()
  #length = 0
  #end: Omit<SomeBody, 'bytes'> | undefined
  #reader: { readonly limitBytes: number; readonly done: (body: SomeBody) => void } | undefined
  #isUnwanted = false
  #timer: NodeJS.Timeout | undefined

  constructor(head: AnswerHead, source: AnswerSource) {
    this.#head = head
    this.#source = source
  }

  get status(): number {
    return this.#head.status
  }

  get headers(): AnswerHeaders {
    return this.#head.headers
  }

  read(limitBytes: number): Promise<SomeBody> {
    if (this.#length > limitBytes) return Promise.resolve(this.#cut(limitBytes))
    if (this.#end !== undefined) return Promise.resolve({ bytes: this.#body.bytes, ...this.#end })
    return new Promise((done) => {
      this.#reader = { limitBytes, done }
      this.#source.resume()
    })
  }

  discard(): void {
    if (this.#end !== undefined) return
    this.#isUnwanted = true
    this.#body.clear()
    this.#timer = setTimeout(() => this.#source.drop(), UNWANTED_MS).unref()
    this.#source.resume()
  }

  /** A piece of the body, which is copied. */
  add(bytes: Buffer): void {
    this.#length += bytes.length
    if (this.#isUnwanted) {
      if (this.#length > UNWANTED_BYTES) this.#source.drop()
      return
    }
    this.#body.add(Buffer.from(bytes))
    if (this.#reader !== undefined && this.#length > this.#reader.limitBytes)
      this.#reader.done(this.#cut(this.#reader.limitBytes))
    else if (this.#reader === undefined && this.#length > UNWANTED_BYTES) this.#source.pause()
  }

  /** Nothing more comes: the body is whole, or broken off. */
  end(brokenBy?: unknown): void {
    if (this.#end !== undefined) return
    clearTimeout(this.#timer)
    this.#end = { isCut: false, ...(brokenBy !== undefined && { brokenBy }) }
    this.#reader?.done({ bytes: this.#body.bytes, ...this.#end })
  }

  #cut(limitBytes: number): SomeBody {
    const bytes = this.#body.bytes.subarray(0, limitBytes)
    this.#end ??= { isCut: true }
    this.#source.drop()
    return { bytes, isCut: true }
  }
}
