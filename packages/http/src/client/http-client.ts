import type { SecureContext } from 'node:tls'
import { ConnectionPool } from './connection-pool.ts'
import { HttpClientError } from './http-client-error.ts'
import { type HttpRequest, type Origin, prepareRequest } from './http-request.ts'
import { socketsTo } from './open-socket.ts'
import { type HttpAnswer, RequestExchange } from './request-exchange.ts'

export interface HttpClientOptions {
  /** To one origin; further requests wait for a connection. Default 256. */
  readonly maxConnections?: number
  /** How long an idle connection is kept, in milliseconds; less where the other side says so. Default 4000: common servers close after 5000. */
  readonly idleMs?: number
  /** Ends a connection on which nothing is sent or arrives for this long, in milliseconds. Default 0: only a request's own time ends it. */
  readonly stalledMs?: number
  /** Whom https trusts. Default: whom Node trusts. */
  readonly secureContext?: SecureContext
}

const SWEEP_MS = 1000

/**
 * A client of HTTP/1.1 for small requests and answers within limits. Connections are kept and used again; nothing is followed, retried,
 * decompressed or cached. An answer that two readers could read in two ways is refused. The process may end while connections are idle.
 */
export class HttpClient implements Disposable {
  readonly #options: Required<Omit<HttpClientOptions, 'secureContext'>> & Pick<HttpClientOptions, 'secureContext'>
  readonly #pools = new Map<string, ConnectionPool>()
  #sweeping: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: HttpClientOptions = {}) {
    this.#options = { maxConnections: 256, idleMs: 4000, stalledMs: 0, ...options }
  }

  /**
   * Resolves when as much of the answer has come as is wanted. Before the head of an answer it rejects with an {@link HttpClientError}, with
   * what the network says (`ECONNREFUSED`, …), with the signal's reason, or with a TypeError when the URL is not valid, or not http or
   * https. After the head it resolves, and what ended the body too early is `body.brokenBy`.
   */
  request(request: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      request.signal?.throwIfAborted()
      if (this.#isClosed) throw new HttpClientError('HTTP_CLIENT_CLOSED', 'the client is closed')
      const prepared = prepareRequest(request)
      const pool = this.#poolOf(prepared.origin)
      new RequestExchange(request, prepared, pool, { resolve, reject }).start()
    })
  }

  /** Ends all connections, and with them the requests that are under way. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    clearInterval(this.#sweeping)
    const closed = new HttpClientError('HTTP_CLIENT_CLOSED', 'the client was closed before the end of the answer')
    for (const pool of this.#pools.values()) pool.destroy(closed)
    this.#pools.clear()
  }

  #poolOf(origin: Origin): ConnectionPool {
    const known = this.#pools.get(origin.key)
    if (known !== undefined) return known
    const { maxConnections, idleMs, stalledMs, secureContext } = this.#options
    const pool = new ConnectionPool({ open: socketsTo(origin, secureContext), maxConnections, idleMs, stalledMs })
    this.#pools.set(origin.key, pool)
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
    return pool
  }

  #sweep(): void {
    for (const [key, pool] of this.#pools) {
      pool.sweep()
      if (pool.isEmpty) this.#pools.delete(key)
    }
    if (this.#pools.size > 0) return
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }
}
