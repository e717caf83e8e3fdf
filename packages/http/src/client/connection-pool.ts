import { monotonicMs } from '@taproom/core/time'
import { AnswerHeads } from './answer-head.ts'
import { Connection, type ConnectionKeeper } from './connection.ts'
import { HttpClientError } from './http-client-error.ts'
import type { OpenSocket } from './open-socket.ts'

/** A request that waits for a connection. */
export interface Waiter {
  begin(connection: Connection): void
  /** There is no connection for it. */
  fail(error: unknown): void
}

export interface PoolOptions {
  readonly open: OpenSocket
  readonly maxConnections: number
  /** How long an idle connection is kept. */
  readonly idleMs: number
  readonly stalledMs: number
}

interface Idle {
  readonly connection: Connection
  /** By the monotonic clock. */
  readonly untilMs: number
}

/** Most that wait for a connection to one origin. */
const MAX_WAITING = 10_000
/** Before the other side closes an idle connection, which must not be used at that moment. */
const MARGIN_SECONDS = 1

/** The connections to one origin. The idle one that was used last is used next, so that those beyond need become idle. */
export class ConnectionPool implements ConnectionKeeper {
  readonly #options: PoolOptions
  readonly #all = new Set<Connection>()
  readonly #heads = new AnswerHeads()
  /** In the order in which they became idle. */
  #idle: Idle[] = []
  readonly #waiting = new Set<Waiter>()
  /** Waits for a place for a new connection, before all others. */
  readonly #repeated = new Set<Waiter>()
  #closed: { readonly error: unknown } | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#all.size === 0 && this.#waiting.size === 0 && this.#repeated.size === 0
  }

  /** Gives it a connection, at once or when there is one. */
  take(waiter: Waiter): void {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (isKept(idle)) {
        waiter.begin(idle.connection)
        return
      }
      idle.connection.destroy()
    }
    this.takeNew(waiter)
  }

  /** A connection that was not used before. */
  takeNew(waiter: Waiter): void {
    const { open, maxConnections, stalledMs } = this.#options
    if (this.#closed !== undefined) {
      waiter.fail(this.#closed.error)
    } else if (this.#all.size < maxConnections) {
      const connection = new Connection(open, { keeper: this, heads: this.#heads, stalledMs })
      this.#all.add(connection)
      waiter.begin(connection)
    } else if (this.#waiting.size < MAX_WAITING) {
      this.#waiting.add(waiter)
      // One that was used before would have served already: its place is for a new one.
      this.#idle.shift()?.connection.destroy()
    } else {
      waiter.fail(new HttpClientError('HTTP_CLIENT_BUSY', `${MAX_WAITING} requests wait for a connection`))
    }
  }

  /** A new connection in place of one that the other side has closed: idle ones were used before it, and may be closed, too. */
  takeInstead(waiter: Waiter): void {
    for (const { connection } of this.#idle.splice(0)) connection.destroy()
    if (this.#all.size < this.#options.maxConnections) this.takeNew(waiter)
    else this.#repeated.add(waiter)
  }

  /** It does not wait any more. */
  forget(waiter: Waiter): void {
    this.#waiting.delete(waiter)
    this.#repeated.delete(waiter)
  }

  onAnswered(connection: Connection, keepAliveSeconds: number): void {
    if (this.#repeated.size > 0) {
      // A repeated request takes the place with a new connection.
      connection.destroy()
      return
    }
    const waiter = takeFirst(this.#waiting)
    if (waiter !== undefined) {
      waiter.begin(connection)
      return
    }
    const givenMs = (keepAliveSeconds - MARGIN_SECONDS) * 1000
    this.#idle.push({ connection, untilMs: monotonicMs() + Math.min(this.#options.idleMs, givenMs) })
  }

  onClosed(connection: Connection): void {
    this.#all.delete(connection)
    this.#idle = this.#idle.filter((idle) => idle.connection !== connection)
    const waiter = takeFirst(this.#repeated) ?? takeFirst(this.#waiting)
    if (waiter !== undefined) this.takeNew(waiter)
  }

  /** Closes those that have been idle for long. */
  sweep(): void {
    for (const idle of this.#idle) if (!isKept(idle)) idle.connection.destroy()
  }

  /** Ends all connections, and all that wait for one, with the error. */
  destroy(error: unknown): void {
    this.#closed = { error }
    const waiting = [...this.#repeated, ...this.#waiting]
    this.#repeated.clear()
    this.#waiting.clear()
    for (const waiter of waiting) waiter.fail(error)
    for (const connection of [...this.#all]) connection.destroy(error)
  }
}

function takeFirst(waiting: Set<Waiter>): Waiter | undefined {
  const [waiter] = waiting
  if (waiter !== undefined) waiting.delete(waiter)
  return waiter
}

function isKept({ connection, untilMs }: Idle): boolean {
  return connection.isUsable && monotonicMs() < untilMs
}
