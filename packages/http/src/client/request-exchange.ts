import type { Connection, RequestOwner } from './connection.ts'
import type { ConnectionPool, Waiter } from './connection-pool.ts'
import type { HttpAnswer } from './http-answer.ts'
import { HttpClientError } from './http-client-error.ts'
import type { HttpRequest, PreparedRequest } from './http-request.ts'

interface Settle {
  resolve(answer: HttpAnswer): void
  reject(error: unknown): void
}

/** A request from its beginning to the last byte of its answer, over one connection, or over a second one where the first was stale. */
export class RequestExchange implements RequestOwner, Waiter {
  readonly #request: HttpRequest
  readonly #prepared: PreparedRequest
  readonly #pool: ConnectionPool
  readonly #settle: Settle
  #connection: Connection | undefined
  #isRepeated = false
  /** Why it was given up here, if it was: then it is not sent again. */
  #givenUp: { readonly reason: unknown } | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #onAbort = () => this.#giveUp(this.#request.signal?.reason)

  constructor(request: HttpRequest, prepared: PreparedRequest, pool: ConnectionPool, settle: Settle) {
    this.#request = request
    this.#prepared = prepared
    this.#pool = pool
    this.#settle = settle
  }

  start(): void {
    this.#startTimer()
    this.#request.signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#pool.take(this)
  }

  begin(connection: Connection): void {
    this.#connection = connection
    // It waits for others, each of which has a time of its own.
    if (connection.underWay > 0) clearTimeout(this.#timer)
    connection.send(this.#prepared, this)
  }

  fail(error: unknown): void {
    this.onOver()
    this.#settle.reject(this.#givenUp === undefined ? error : this.#givenUp.reason)
  }

  onNext(): void {
    this.#startTimer()
  }

  onAnswer(answer: HttpAnswer): void {
    this.#settle.resolve(answer)
  }

  onFailure(error: unknown, isStale: boolean): void {
    this.#connection = undefined
    const isToRepeat = isStale && this.#request.isRepeatable === true && !this.#isRepeated
    if (!isToRepeat || this.#givenUp !== undefined) {
      this.fail(error)
      return
    }
    this.#isRepeated = true
    // Its time may have gone by behind others, or not have begun.
    if (this.#isPipelined) this.#startTimer()
    this.#pool.takeNew(this)
  }

  onOver(): void {
    clearTimeout(this.#timer)
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
  }

  get #isPipelined(): boolean {
    return (this.#request.pipelining ?? 1) > 1
  }

  #startTimer(): void {
    const { timeoutMs } = this.#request
    clearTimeout(this.#timer)
    const late = () => this.#giveUp(new HttpClientError('HTTP_TIMEOUT', `no answer within ${timeoutMs} ms`))
    this.#timer = setTimeout(late, timeoutMs)
  }

  #giveUp(reason: unknown): void {
    this.#givenUp = { reason }
    if (this.#connection !== undefined) {
      this.#connection.giveUp(this, reason)
      return
    }
    this.#pool.forget(this)
    this.fail(reason)
  }
}
