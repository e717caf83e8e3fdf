import { BodyBuffer } from '../body-buffer.ts'
import type { SomeBody } from '../read-body.ts'
import type { Connection, RequestOwner } from './connection.ts'
import type { ConnectionPool, Waiter } from './connection-pool.ts'
import { HttpClientError } from './http-client-error.ts'
import type { AnswerHead, HttpRequest, PreparedRequest } from './http-request.ts'

/** An answer as far as it was read; an error that ended its body too early is `brokenBy`. */
export interface HttpAnswer extends AnswerHead {
  readonly body: SomeBody
}

interface Settle {
  resolve(answer: HttpAnswer): void
  reject(error: unknown): void
}

/** How much of an unwanted body is read, and for how long, so that its connection serves again. */
const UNWANTED_BYTES = 64 * 1024
const UNWANTED_MS = 5000

/** A request from its beginning to the last byte of its answer, over one connection, or over a second one where the first was stale. */
export class RequestExchange implements RequestOwner, Waiter {
  readonly #request: HttpRequest
  readonly #prepared: PreparedRequest
  readonly #pool: ConnectionPool
  readonly #settle: Settle
  readonly #body = new BodyBuffer()
  #connection: Connection | undefined
  #head: AnswerHead | undefined
  #limitBytes = 0
  #unwantedBytes = 0
  #isRepeated = false
  #isOver = false
  #timer: NodeJS.Timeout | undefined
  readonly #onAbort = () => this.#giveUp(this.#request.signal?.reason)

  constructor(request: HttpRequest, prepared: PreparedRequest, pool: ConnectionPool, settle: Settle) {
    this.#request = request
    this.#prepared = prepared
    this.#pool = pool
    this.#settle = settle
  }

  start(): void {
    const { timeoutMs, signal } = this.#request
    const late = () => this.#giveUp(new HttpClientError('HTTP_TIMEOUT', `no answer within ${timeoutMs} ms`))
    this.#timer = setTimeout(late, timeoutMs)
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#pool.take(this)
  }

  begin(connection: Connection): void {
    this.#connection = connection
    connection.send(this.#prepared, this)
  }

  onHead({ status, headers }: AnswerHead): void {
    const head = { status, headers }
    const { limitBytes } = this.#request
    this.#limitBytes = typeof limitBytes === 'number' ? limitBytes : limitBytes(head)
    this.#head = head
    if (this.#limitBytes > 0) return
    this.#answer({ bytes: this.#body.bytes, isCut: false })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#giveUp(undefined), UNWANTED_MS).unref()
  }

  onBytes(bytes: Buffer): boolean {
    if (!(this.#limitBytes > 0)) {
      this.#unwantedBytes += bytes.length
      return this.#unwantedBytes <= UNWANTED_BYTES
    }
    // The buffer keeps the first piece as it is, and copies all further ones.
    this.#body.add(this.#body.length === 0 ? Buffer.from(bytes) : bytes)
    if (this.#body.length <= this.#limitBytes) return true
    this.#answer({ bytes: this.#body.bytes.subarray(0, this.#limitBytes), isCut: true })
    return false
  }

  onWhole(): void {
    this.#answer({ bytes: this.#body.bytes, isCut: false })
    this.#over()
  }

  onFailure(error: unknown, isStale: boolean): void {
    const isToRepeat = isStale && this.#request.isRepeatable === true && !this.#isRepeated
    if (!isToRepeat || this.#isOver) {
      this.fail(error)
      return
    }
    this.#isRepeated = true
    this.#connection = undefined
    this.#pool.takeInstead(this)
  }

  fail(error: unknown): void {
    if (this.#isOver) return
    if (this.#head === undefined) this.#settle.reject(error)
    else this.#answer({ bytes: this.#body.bytes, isCut: false, brokenBy: error })
    this.#over()
  }

  #answer(body: SomeBody): void {
    if (this.#head !== undefined) this.#settle.resolve({ ...this.#head, body })
  }

  #over(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
  }

  #giveUp(reason: unknown): void {
    this.fail(reason)
    if (this.#connection === undefined) this.#pool.forget(this)
    else this.#connection.destroy(reason)
  }
}
