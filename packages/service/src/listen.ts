import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { httpAddress } from '@taproom/http'
import { Connections } from './connections.ts'
import { HTTP_LIMITS, type HttpLimits } from './http-limits.ts'
import { messageClasses } from './message-classes.ts'
import { NO_TUNNEL, type Refusal, refusalOf, refusalOfMalformed, refuse, UNKNOWN_EXPECTATION } from './refusal.ts'

/** The server cannot listen: the port is in use or not permitted, or the address is not this machine's. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code = 'LISTEN_FAILED'
}

export type HttpServer = Awaited<ReturnType<typeof listen>>

export interface ListenOptions extends Partial<HttpLimits> {
  readonly host: string
  /** 0 is any free port. */
  readonly port: number
  /** The variables that an error names. Default PORT and HOST. */
  readonly variables?: { readonly port: string; readonly host: string }
  /** How long disposing waits for requests in flight, in milliseconds. Default 8000. */
  readonly drainMs?: number
}

/**
 * Listens for HTTP. These requests are answered with problem+json and never reach the handler: malformed or late ones (400, 408, 431), those
 * without exactly one valid host, with a target that is neither a path nor an http URL, or of a version other than 1.0 and 1.1 (400), with an
 * expectation other than `100-continue` (417), with a transfer coding other than `chunked` (501), and CONNECT (405). Requests of one connection
 * are handled one after another. When a handler answers early, the rest of the request is read and dropped. While the server is being disposed
 * of it still listens until nothing is in flight, so that probes and late requests get answers.
 *
 * @throws {ListenError} when it cannot listen; the message names port and variable
 */
export async function listen(handler: RequestListener, options: ListenOptions) {
  const limits = { ...HTTP_LIMITS, ...options }
  const turnAway = (res: ServerResponse, refusal: Refusal) => {
    connections.endAfterThis(res.req.socket)
    refuse(res, refusal)
  }
  const expectations = new WeakSet<IncomingMessage>()
  const connections = new Connections(limits, (req, res) => {
    const refusal = refusalOf(req, limits.maxHeaders)
    if (refusal !== undefined && refusal !== 'last') return turnAway(res, refusal)
    if (expectations.has(req)) return turnAway(res, UNKNOWN_EXPECTATION)
    if (refusal === 'last') res.setHeader('Connection', 'close')
    handler(req, res)
  })
  const server = createServer(serverOptions(handler, limits), (req, res) => connections.add(req, res))
  limitServer(server, limits, connections)
  server.on('connection', (socket) => connections.opened(socket))
  server.on('checkExpectation', (req, res) => {
    expectations.add(req)
    connections.add(req, res)
  })
  server.on('connect', (_req, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    connections.refuse(socket, NO_TUNNEL)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else connections.refuse(socket, refusalOfMalformed(error))
  })
  server.listen(options.port, options.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error, options)
  }
  const { port } = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  return {
    port,
    /** For clients on this machine. */
    url: httpAddress(options.host, port),
    /** Lets requests in flight finish, then closes. */
    [Symbol.asyncDispose](): Promise<void> {
      closed ??= drain(server, connections, options.drainMs ?? 8000)
      return closed
    },
  }
}

function serverOptions(handler: RequestListener, limits: HttpLimits): ServerOptions {
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs } = limits
  return {
    ...messageClasses(handler),
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
    if (!connections.isBusy(socket) || socket.writableLength > 0) socket.destroy()
  })
}

async function drain(server: Server, connections: Connections, drainMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(drainMs)
  const late = once(deadline, 'abort')
  await Promise.race([connections.idle(), late])
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  await Promise.race([closed, late])
  if (deadline.aborted) connections.destroyAll()
  await closed
}

function listenError(error: unknown, { host, port, variables }: ListenOptions): ListenError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const names = variables ?? { port: 'PORT', host: 'HOST' }
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use: stop what listens there or set ${names.port} to a free port`,
    EACCES: `port ${port} is not permitted: set ${names.port} to a port of 1024 or above`,
    EADDRNOTAVAIL: `address ${host} is not one of this machine's: set ${names.host}`,
    ENOTFOUND: `host ${host} is not known: set ${names.host}`,
    EAI_AGAIN: `host ${host} is not known: set ${names.host}`,
  }
  const reason =
    (typeof code === 'string' && reasons[code]) || `cannot listen on ${host}:${port} (${names.host}, ${names.port})`
  return new ListenError(reason, { cause: error })
}
