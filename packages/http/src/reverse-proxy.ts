import type { IncomingMessage, ServerResponse } from 'node:http'
import { endToEndHeaders } from './connection-headers.ts'
import { ProxyError } from './errors.ts'
import { exchange } from './exchange.ts'
import { hopHeaders, originHeaders, tellsOrigin } from './forwarded-headers.ts'
import { PatientAgent } from './patient-socket.ts'
import { RequestBody } from './request-body.ts'

/** The target of one try. */
export interface Upstream {
  readonly host: string
  readonly port: number
  /** Called when the service has answered completely. */
  answered?(): void
  /** Called when the try is over, however it ended. */
  release?(): void
  /** Called when the connection broke before any byte of an answer; the second try waits for the promise. */
  broke?(): Promise<void>
  /** Called when nothing listens there. With it the request goes to the next upstream, without it the request fails. */
  readonly unreachable?: (() => void) | undefined
}

export interface Route {
  /** The request target, sent as it is: a path with its query. */
  readonly path: string
  /** The only Host header that is sent. Default: the upstream's address. */
  readonly host: string | undefined
  /** Returns the target of the next try; if it throws, the request ends with that error. */
  next(): Upstream | Promise<Upstream>
  /** Ends the request: `forward` rejects with the signal's reason, or breaks off an answer that has begun. */
  readonly signal?: AbortSignal
}

export interface ReverseProxyOptions {
  /**
   * `edge`: what clients say about a request's origin (`X-Forwarded-*`, `Forwarded`, `Via`, `X-Real-IP` and the like) is replaced by what the
   * proxy sees, so that services can trust it. `behind-edge`: it adds itself to `X-Forwarded-For` and `Via` and changes nothing else.
   */
  readonly position: 'edge' | 'behind-edge'
  /** Its name in `Via`. Default `taproom`. */
  readonly via?: string
  /** Most requests in flight; further ones are refused (`PROXY_BUSY`). Default 10,000. */
  readonly maxRequests?: number
  /** Bytes of one request's body that are kept for a second try. Default 1 MiB. */
  readonly keepBytes?: number
}

export type ReverseProxy = ReturnType<typeof createReverseProxy>

/** Idle connections kept to one service. */
const MAX_IDLE = 64
/** Methods that expect no body; with any other an empty body is declared with `Content-Length: 0` (RFC 9110, section 8.6). */
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE'])

/**
 * Creates a reverse proxy that streams. Each request reaches the service with exactly one Host and, if it has a body, exactly one of
 * Content-Length and `Transfer-Encoding: chunked`, whatever its method. Headers of the client's connection (RFC 9110, section 7.6.1), trailers
 * and interim (1xx) answers are not passed on. A request whose `Connection` names a header of the message is refused.
 *
 * A request is sent a second time, once and over a new connection, only if no byte of an answer came, the service had closed a kept connection or
 * reset one (so it had not read the whole request), and the part of the body already sent was kept. Where nothing listens, nothing was sent, and
 * the request goes to the next upstream.
 */
export function createReverseProxy(options: ReverseProxyOptions) {
  const { via = 'taproom', maxRequests = 10_000, keepBytes = 1024 * 1024 } = options
  const pool = new PatientAgent({ keepAlive: true, maxFreeSockets: MAX_IDLE })
  const fresh = new PatientAgent({ keepAlive: false })
  const kept = { perRequest: keepBytes, total: 0 }
  const isEdge = options.position === 'edge'
  const isLeftOut = (name: string) => name === 'host' || (isEdge && tellsOrigin(name))
  let underWay = 0

  function headersFor(incoming: IncomingMessage, host: string | undefined): readonly string[] {
    const { headers, fault = framingFault(incoming) } = endToEndHeaders(incoming.rawHeaders, isLeftOut)
    if (fault !== undefined) throw new ProxyError('PROXY_REQUEST_REFUSED', fault)
    const way = isEdge ? originHeaders(incoming, { host, via }) : hopHeaders(incoming, { host, via })
    headers.push(...way, ...framing(incoming))
    return headers
  }

  async function send(incoming: IncomingMessage, response: ServerResponse, route: Route, body: RequestBody) {
    const passedOn = headersFor(incoming, route.host)
    let agent = pool
    for (;;) {
      const upstream = await route.next()
      if (response.destroyed) return upstream.release?.()
      const headers = ['Host', route.host ?? `${upstream.host}:${upstream.port}`, ...passedOn]
      const { path, signal } = route
      const failed = await exchange({
        ...{ agent, host: upstream.host, port: upstream.port, path, headers },
        ...{ incoming, response, body, signal },
      })
      if (failed === undefined && response.writableFinished) upstream.answered?.()
      if (failed?.isUnreachable) upstream.unreachable?.()
      upstream.release?.()
      if (failed === undefined || response.destroyed) return
      const goesOn = failed.isUnreachable && upstream.unreachable !== undefined && body.isWhole
      const isSecondTry = failed.isUnseen && agent === pool && body.isWhole
      if (!goesOn && !isSecondTry) throw failed.error
      if (isSecondTry) {
        await upstream.broke?.()
        agent = fresh
      }
    }
  }

  return {
    /**
     * Resolves when the request is over: answered, broken off by the service during its answer (then so is the client's connection), or left
     * by the client. Rejects only before an answer has begun: with a {@link ProxyError}, with what `next` threw, or with the signal's reason.
     */
    async forward(incoming: IncomingMessage, response: ServerResponse, route: Route): Promise<void> {
      if (underWay >= maxRequests) throw new ProxyError('PROXY_BUSY', `${maxRequests} requests are under way already`)
      underWay += 1
      const body = new RequestBody(incoming, kept)
      try {
        await send(incoming, response, route, body)
      } finally {
        body.forget()
        underWay -= 1
      }
    },
    [Symbol.dispose]() {
      pool.destroy()
      fresh.destroy()
    },
  }
}

/** Why the framing is ambiguous, so that a service could read a different message than this proxy did. A strict parser such as Node's refuses these. */
function framingFault({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  if (length === undefined && coding === undefined) return undefined
  if (length !== undefined && !/^\d+$/.test(length)) return 'the Content-Length is no number'
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'the only Transfer-Encoding possible here is chunked'
  if (coding !== undefined && httpVersion !== '1.1') return 'a Transfer-Encoding needs HTTP/1.1'
  const framings = rawHeaders.filter(
    (name, index) => index % 2 === 0 && /^(?:content-length|transfer-encoding)$/i.test(name),
  )
  return framings.length > 1 ? 'the request says more than once where its body ends' : undefined
}

/** The framing header to add; none where the client's Content-Length is passed on. */
function framing({ method = 'GET', headers }: IncomingMessage): readonly string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  return headers['content-length'] === undefined && !BODILESS.has(method) ? ['Content-Length', '0'] : []
}
