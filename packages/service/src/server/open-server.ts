import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type ServerOptions as NodeOptions,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { tracing } from '@taproom/core/spans'
import { httpAddress, pathOf } from '@taproom/http'
import { partsOf } from '../app/app-parts.ts'
import {
  NO_TUNNEL,
  type Refusal,
  refusalOf,
  refusalOfMalformed,
  refuse,
  UNKNOWN_EXPECTATION,
} from '../requests/refusal.ts'
import { beginServerSpan, isBelow } from '../requests/server-span.ts'
import { type ClientOptions, guardClients } from './client-guard.ts'
import { Connections } from './connections.ts'
import { HTTP_LIMITS, type HttpLimits } from './http-limits.ts'
import { type ListenVariables, listenError } from './listen-error.ts'
import { RequestTurns } from './request-turns.ts'
import type { TlsOptions } from './tls-files.ts'

export interface ServerOptions extends Partial<HttpLimits>, Partial<ClientOptions> {
  /** `::` is every address of the machine: IPv4 alone where it has no IPv6. */
  readonly host: string
  /** 0 is any free port. */
  readonly port: number
  /** The variables that an error names. Default PORT and HOST. */
  readonly variables?: ListenVariables
  /** How long disposing waits for requests in flight, in milliseconds. Default 8000. */
  readonly drainMs?: number
  /** Default: no TLS. */
  readonly tls?: TlsOptions | undefined
  /**
   * Paths whose requests begin no trace, with all below them: probes would bury all others. They continue one. Nor do they wait for a turn
   * of a busy server. Default: none.
   */
  readonly untracedPaths?: readonly string[]
}

/**
 * One server; what `listen` says of it.
 *
 * @throws {ListenError} when it cannot listen
 * @throws {ConfigError} when there is no valid certificate and key
 */
export async function openServer(handler: RequestListener, options: ServerOptions) {
  const limits = { ...HTTP_LIMITS, ...options }
  const guard = guardClients(options, partsOf(handler))
  const turnAway = (res: ServerResponse, refusal: Refusal) => {
    guard.refused(res.req, refusal)
    connections.endAfterThis(res.req.socket)
    refuse(res, refusal)
  }
  const expectations = new WeakSet<IncomingMessage>()
  const headers = { ...ANSWER_HEADERS, ...guard.headers, ...(options.tls && STRICT_TRANSPORT) }
  const headersOfAll = new Map(Object.entries(headers))
  const serve: RequestListener = (req, res) => {
    res.setHeaders(headersOfAll)
    for (const watch of guard.watchers) watch(req, res)
    const refusal = refusalOf(req, limits.maxHeaders)
    if (refusal !== undefined && refusal !== 'last') return turnAway(res, refusal)
    if (expectations.has(req)) return turnAway(res, UNKNOWN_EXPECTATION)
    if (refusal === 'last') res.setHeader('Connection', 'close')
    if (!guard.gates.some((gate) => gate(req, res))) turns.begin(req, res)
  }
  const { untracedPaths = [] } = options
  const turns = new RequestTurns({
    handle: handler,
    // Probes must be answered all the more when there is much to do.
    passes: (req) => isBelow(pathOf(req.url), untracedPaths),
    // So that the wait is measured. What fails here fails again in the app, which answers it.
    waits(req, res) {
      try {
        partsOf(handler)?.metrics?.measure(req, res, () => {})
      } catch {}
    },
    isGone: (req, res) => res.destroyed || req.socket.destroyed || connections.isRefused(req.socket),
  })
  const spans = { scheme: options.tls ? 'https' : 'http', untracedPaths } as const
  const connections = new Connections({ limits, headers }, (req, res) => {
    const traces = tracing()
    if (traces === undefined) serve(req, res)
    else traces.run(beginServerSpan(traces, req, res, spans), () => serve(req, res))
  })
  const refuseBytes = (socket: Socket, refusal: Refusal) => {
    if (connections.refuse(socket, refusal)) guard.refusedBytes(socket, refusal)
  }
  const onRequest: RequestListener = (req, res) => connections.add(req, res)
  const secured = options.tls && (await createSecured(options.tls, handler, limits, onRequest))
  const server = secured?.server ?? createServer(serverOptions(limits), onRequest)
  limitServer(server, limits, connections)
  server.on('connection', (socket) => {
    if (!guard.admits(socket)) socket.destroy()
    else if (secured === undefined) connections.opened(socket)
  })
  server.on('secureConnection', (socket: Socket) => connections.opened(socket))
  server.on('checkExpectation', (req, res) => {
    expectations.add(req)
    connections.add(req, res)
  })
  server.on('connect', (_req, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    refuseBytes(socket, NO_TUNNEL)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // One that has no key yet cannot be told anything.
    if (error.code === 'ECONNRESET' || !socket.writable || !connections.has(socket)) socket.destroy()
    else refuseBytes(socket, refusalOfMalformed(error))
  })
  // Without a host Node listens on IPv4 where there is no IPv6, and on both whatever `net.ipv6.bindv6only` says.
  server.listen(options.port, options.host === '::' ? undefined : options.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    secured?.[Symbol.dispose]()
    throw listenError(error, options, options.variables)
  }
  const { port } = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  return {
    port,
    /** For clients on this machine. */
    url: httpAddress(options.host, port, options.tls ? 'https' : 'http'),
    /** Lets requests in flight finish, then closes. */
    [Symbol.asyncDispose](): Promise<void> {
      secured?.[Symbol.dispose]()
      closed ??= drain(server, connections, options.drainMs ?? 8000, secured?.dropHandshakes)
      return closed
    },
  }
}

function serverOptions(limits: HttpLimits): NodeOptions {
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs } = limits
  return {
    requireHostHeader: false,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // So a slow request is found at most a quarter of its time too late.
    connectionsCheckingInterval: Math.min(5000, Math.ceil(Math.min(headersTimeoutMs, requestTimeoutMs) / 4)),
  }
}

function limitServer(server: Server, limits: HttpLimits, connections: Connections): void {
  server.maxConnections = limits.maxConnections
  // No limit here: Node would drop headers beyond it, and with them what they say.
  server.maxHeadersCount = 0
  server.timeout = limits.writeTimeoutMs
  // Nothing happens on the connection: it is idle, or its client does not read.
  server.on('timeout', (socket) => {
    if (connections.isIdle(socket) || socket.writableLength > 0) socket.destroy()
  })
}

/** What TLS needs is loaded with it. */
async function createSecured(
  tls: TlsOptions,
  handler: RequestListener,
  limits: HttpLimits,
  onRequest: RequestListener,
) {
  const { createTlsServer } = await import('./tls-server.ts')
  const options = { ...serverOptions(limits), handshakeTimeout: limits.headersTimeoutMs }
  return await createTlsServer(tls, options, { onRequest, log: partsOf(handler)?.log })
}

/** How long a request whose head has begun may take to arrive while the server closes. */
const HALF_REQUEST_MS = 2000

async function drain(
  server: Server,
  connections: Connections,
  drainMs: number,
  beforeTheEnd = () => {},
): Promise<void> {
  const deadline = AbortSignal.timeout(drainMs)
  const late = once(deadline, 'abort')
  await Promise.race([connections.idle(), late])
  const closed = once(server, 'close')
  server.close()
  // Requests that have arrived are read in the next turns of the event loop.
  await setImmediate()
  await setImmediate()
  server.closeIdleConnections()
  connections.destroyUnused()
  beforeTheEnd()
  const half = setTimeout(() => connections.destroyWithoutRequest(), HALF_REQUEST_MS)
  await Promise.race([closed, late])
  clearTimeout(half)
  if (deadline.aborted) connections.destroyAll()
  await closed
}

/** Headers of every answer, unless a handler sets its own: browsers guess no other type, and no address is passed on. */
const ANSWER_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

/** Tells browsers to come by https only, for a year. */
const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=31536000' }
