import { BodyBuffer } from '../body-buffer.ts'
import type { SomeBody } from '../read-body.ts'
import type { AnswerHead, AnswerHeaders } from './answer-head.ts'

/** The head of an answer, and its body when it is asked for: by one call of `read` or `discard`. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: AnswerHeaders
  /**
   * Reads at most `limitBytes`; drops the connection if there is more. Rejects only with a TypeError, when the body was asked for before:
   * what ends it too early is `brokenBy`.
   */
  read(limitBytes: number): Promise<SomeBody>
  /** The body does not matter: a short one is read, so that the connection serves again, and a long or slow one dropped. */
  discard(): void
}

/** What an answer does to its connection until it is over. */
export interface AnswerSource {
  pause(): void
  resume(): void
  /** Ends it, with what is still to come. */
  drop(): void
}

type Body =
  /** Nobody has asked for it yet. */
  | { readonly state: 'waiting' }
  | { readonly state: 'read'; readonly limitBytes: number; readonly done: (body: SomeBody) => void }
  | { readonly state: 'unwanted'; readonly timer: NodeJS.Timeout }
  /** Nothing more comes; undefined: nobody is to get it. */
  | { readonly state: 'over'; readonly body: SomeBody | undefined }

/** Read of an unwanted body, and kept of one that nobody has asked for yet. */
const UNWANTED_BYTES = 64 * 1024
const UNWANTED_MS = 5000

/** An answer whose body comes in pieces. */
export class IncomingAnswer implements HttpAnswer {
  readonly #head: AnswerHead
  readonly #source: AnswerSource
  readonly #bytes = new BodyBuffer()
  #length = 0
  #body: Body = { state: 'waiting' }

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
    const body = this.#body
    if (body.state === 'over' && body.body !== undefined) {
      this.#body = { state: 'over', body: undefined }
      return Promise.resolve(cutAt(limitBytes, body.body))
    }
    if (body.state !== 'waiting') return Promise.reject(new TypeError('the body of an answer is asked for once'))
    if (this.#length > limitBytes) {
      const cut = cutAt(limitBytes, { bytes: this.#bytes.bytes, isCut: true })
      this.#over(undefined)
      this.#source.drop()
      return Promise.resolve(cut)
    }
    return new Promise((done) => {
      this.#body = { state: 'read', limitBytes, done }
      this.#source.resume()
    })
  }

  discard(): void {
    if (this.#body.state !== 'waiting') return
    this.#bytes.clear()
    this.#body = { state: 'unwanted', timer: setTimeout(() => this.#source.drop(), UNWANTED_MS).unref() }
    this.#source.resume()
  }

  /** Takes a piece of the body, which is copied. False when no more is wanted. */
  add(bytes: Buffer): boolean {
    const body = this.#body
    this.#length += bytes.length
    if (body.state === 'over') return false
    if (body.state === 'unwanted') return this.#length <= UNWANTED_BYTES
    // The buffer keeps the first piece as it is, and copies all further ones.
    this.#bytes.add(this.#bytes.length === 0 ? Buffer.from(bytes) : bytes)
    if (body.state === 'waiting') {
      if (this.#length > UNWANTED_BYTES) this.#source.pause()
      return true
    }
    if (this.#length <= body.limitBytes) return true
    body.done(cutAt(body.limitBytes, { bytes: this.#bytes.bytes, isCut: true }))
    this.#over(undefined)
    return false
  }

  /** Nothing more comes: the body is whole, or broken off by an error. */
  end(brokenBy?: unknown): void {
    const body = this.#body
    if (body.state === 'over') return
    if (body.state === 'unwanted') {
      clearTimeout(body.timer)
      this.#over(undefined)
      return
    }
    const { bytes } = this.#bytes
    const all = brokenBy === undefined ? { bytes, isCut: false } : { bytes, isCut: false, brokenBy }
    if (body.state === 'read') body.done(all)
    this.#over(body.state === 'read' ? undefined : all)
  }

  #over(body: SomeBody | undefined): void {
    this.#body = { state: 'over', body }
    this.#bytes.clear()
  }
}

function cutAt(limitBytes: number, body: SomeBody): SomeBody {
  return body.bytes.length > limitBytes ? { bytes: body.bytes.subarray(0, limitBytes), isCut: true } : body
}
