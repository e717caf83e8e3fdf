import type { Connection, RequestOwner } from './connection.ts'
import type { ConnectionPool, Waiter } from './connection-pool.ts'
import { HttpClientError } from './errors.ts'
import type { HttpAnswer } from './http-answer.ts'
import type { HttpRequest, PreparedRequest } from './http-request.ts'

interface Settle {
  resolve(answer: HttpAnswer): void
  reject(error: unknown): void
}

/** A request from its beginning to the last byte of its answer, over one connection, or over a second one where the first was stale. */
export class Exchange implements RequestOwner, Waiter {
  readonly #request: HttpRequest
  readonly #prepared: PreparedRequest
  readonly #pool: ConnectionPool
  readonly #settle: Settle
  #connection: Connection | undefined
  #isRepeated = false
  #timer: NodeJS.Timeout | undefined
  readonly #onAbort = () => this.#end(this.#request.signal?.reason)

  constructor(request: HttpRequest, prepared: PreparedRequest, pool: ConnectionPool, settle: Settle) {
    this.#request = request
    this.#prepared = prepared
    this.#pool = pool
    this.#settle = settle
  }

  start(): void {
    const { timeoutMs, signal } = this.#request
    const late = () => this.#end(new HttpClientError('HTTP_TIMEOUT', `no answer within ${timeoutMs} ms`))
    this.#timer = setTimeout(late, timeoutMs)
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#take(() => this.#pool.take(this))
  }

  begin(connection: Connection): void {
    this.#connection = connection
    connection.send(this.#prepared, this)
  }

  onAnswer(answer: HttpAnswer): void {
    this.#settle.resolve(answer)
  }

  onFailure(error: unknown, isStale: boolean): void {
    this.#connection = undefined
    if (isStale && this.#request.isRepeatable === true && !this.#isRepeated) {
      this.#isRepeated = true
      this.#take(() => this.#pool.takeNew(this))
    } else {
      this.onEnd()
      this.#settle.reject(error)
    }
  }

  onEnd(): void {
    clearTimeout(this.#timer)
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
  }

  #take(take: () => void): void {
    try {
      take()
    } catch (error) {
      this.onEnd()
      this.#settle.reject(error)
    }
  }

  #end(error: unknown): void {
    if (this.#connection !== undefined) {
      this.#connection.end(error)
      return
    }
    this.#pool.forget(this)
    this.onEnd()
    this.#settle.reject(error)
  }
}
