import { Connection, type ConnectionKeeper, type OpenSocket } from './connection.ts'
import { HttpClientError } from './errors.ts'

/** Who waits for a connection. */
export interface Waiter {
  begin(connection: Connection): void
}

export interface PoolOptions {
  readonly open: OpenSocket
  readonly maxConnections: number
  /** Sweeps for which a connection may be idle. */
  readonly idleSweeps: number
  readonly sweepSeconds: number
  readonly stalledMs: number
  readonly onIdle: () => void
}

/** Most that wait for a connection to one origin. */
const MAX_WAITING = 10_000

/** The connections to one origin. The one that was used last is used next, so that those beyond need become idle. */
export class ConnectionPool implements ConnectionKeeper {
  readonly #options: PoolOptions
  readonly #all = new Set<Connection>()
  readonly #idle: { readonly connection: Connection; sweepsLeft: number }[] = []
  readonly #waiting = new Set<Waiter>()

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#all.size === 0 && this.#waiting.size === 0
  }

  get hasIdle(): boolean {
    return this.#idle.length > 0
  }

  /** @throws {HttpClientError} with `HTTP_CLIENT_BUSY` */
  take(waiter: Waiter): void {
    const idle = this.#idle.pop()
    if (idle !== undefined) waiter.begin(idle.connection)
    else this.takeNew(waiter)
  }

  /**
   * A connection that was not used before.
   *
   * @throws {HttpClientError} with `HTTP_CLIENT_BUSY`
   */
  takeNew(waiter: Waiter): void {
    const { open, maxConnections, stalledMs } = this.#options
    if (this.#all.size < maxConnections) {
      const connection = new Connection(open, { keeper: this, stalledMs })
      this.#all.add(connection)
      waiter.begin(connection)
    } else if (this.#waiting.size < MAX_WAITING) {
      this.#waiting.add(waiter)
    } else {
      throw new HttpClientError('HTTP_CLIENT_BUSY', `${MAX_WAITING} requests wait for a connection`)
    }
  }

  /** It does not wait any more. */
  forget(waiter: Waiter): void {
    this.#waiting.delete(waiter)
  }

  onIdle(connection: Connection): void {
    const waiter = this.#nextWaiter()
    if (waiter !== undefined) {
      waiter.begin(connection)
      return
    }
    const { idleSweeps, sweepSeconds, onIdle } = this.#options
    // One sweep less than the other side gives it: not to be used at the moment it is closed.
    const given = Math.ceil(connection.keepAliveSeconds / sweepSeconds) - 1
    if (given <= 0) {
      connection.end()
      return
    }
    this.#idle.push({ connection, sweepsLeft: Math.min(idleSweeps, given) })
    onIdle()
  }

  onClosed(connection: Connection): void {
    this.#all.delete(connection)
    const place = this.#idle.findIndex((idle) => idle.connection === connection)
    if (place !== -1) this.#idle.splice(place, 1)
    const waiter = this.#nextWaiter()
    if (waiter !== undefined) this.takeNew(waiter)
  }

  /** Closes those that have been idle for long. */
  sweep(): void {
    for (const idle of [...this.#idle]) {
      idle.sweepsLeft -= 1
      if (idle.sweepsLeft <= 0) idle.connection.end()
    }
  }

  end(error: unknown): void {
    this.#waiting.clear()
    for (const connection of [...this.#all]) connection.end(error)
  }

  #nextWaiter(): Waiter | undefined {
    const [waiter] = this.#waiting
    if (waiter !== undefined) this.#waiting.delete(waiter)
    return waiter
  }
}
