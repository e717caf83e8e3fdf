import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { messageClasses } from './message-classes.ts'
import { type Refusal, refusalMessage, refusalOf, refuse, UNKNOWN_CODING } from './refusal.ts'

/** A server that cannot listen: its port is in use, not permitted, or its address is not this machine's. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code = 'ERR_LISTEN'
}

/** A listening HTTP server; disposing of it lets requests in flight finish, then closes. */
export interface HttpServer extends AsyncDisposable {
  readonly port: number
  /** Where a client on this machine reaches it. */
  readonly url: string
}

/** Where to listen and how long to drain. */
export interface ListenOptions {
  readonly host: string
  /** 0 is any free port. */
  readonly port: number
  /** The variables an error names. Default PORT and HOST. */
  readonly variables?: { readonly port: string; readonly host: string }
  /** How long disposing waits for requests in flight, in milliseconds. Default 8000; kernelConfig's fits the service's grace. */
  readonly drainMs?: number
}

/**
 * Listens for HTTP. Malformed requests get 400, 408 or 431 as problem+json; so do those without a single valid host (400), with an
 * expectation other than `100-continue` (417), a body's coding other than `chunked` (501), or CONNECT (405). While it is being
 * disposed of, the listener stays open until nothing is in flight, so that probes and late requests still get their answers.
 *
 * @throws {ListenError} when the port cannot be had, naming port and variable
 */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<HttpServer> {
  // Connections whose last answer is on its way; the parser's complaints about what follows change nothing.
  const refused = new WeakSet<Socket>()
  const turnAway = (res: ServerResponse, refusal: Refusal) => {
    refused.add(res.req.socket)
    refuse(res, refusal)
  }
  const inFlight = trackInFlight()
  const server = createServer({ ...messageClasses(handler), requireHostHeader: false }, (req, res) => {
    inFlight.add(req, res)
    const refusal = refusalOf(req)
    if (refusal === undefined) handler(req, res)
    else turnAway(res, refusal)
  })
  server.on('checkExpectation', (req, res) => turnAway(res, refusalOf(req) ?? UNKNOWN_EXPECTATION))
  server.on('connect', (_req, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    if (inFlight.isBusy(socket)) socket.destroy()
    else socket.end(refusalMessage(NO_TUNNEL), () => socket.destroy())
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!refused.has(socket) || error.code === 'ECONNRESET') refuseMalformed(error, socket, inFlight.isBusy(socket))
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
    url: `http://${options.host === '0.0.0.0' || options.host === '::' ? 'localhost' : options.host}:${port}`,
    [Symbol.asyncDispose]() {
      closed ??= drain(server, inFlight, options.drainMs ?? 8000)
      return closed
    },
  }
}

interface InFlight {
  /** Before the handler sees the request: it may send the headers at once. */
  add(req: IncomingMessage, res: ServerResponse): void
  isBusy(socket: Socket): boolean
  /** From now on each answer closes its connection; resolves once no request is in flight. */
  ended(): Promise<void>
}

function trackInFlight(): InFlight {
  const busy = new Map<Socket, number>()
  let ending: (() => void) | undefined

  function remove(socket: Socket): void {
    const left = (busy.get(socket) ?? 1) - 1
    if (left > 0) busy.set(socket, left)
    else busy.delete(socket)
    if (busy.size === 0) ending?.()
  }

  return {
    add({ socket }, res) {
      busy.set(socket, (busy.get(socket) ?? 0) + 1)
      if (ending !== undefined) res.setHeader('Connection', 'close')
      res.on('close', () => remove(socket))
    },
    isBusy: (socket) => busy.has(socket),
    ended: () =>
      new Promise((resolve) => {
        ending = resolve
        if (busy.size === 0) resolve()
      }),
  }
}

async function drain(server: Server, inFlight: InFlight, drainMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(drainMs)
  await Promise.race([inFlight.ended(), once(deadline, 'abort')])
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  if (deadline.aborted) server.closeAllConnections()
  await closed
}

const UNKNOWN_EXPECTATION: Refusal = { status: 417, detail: 'the only expectation possible here is 100-continue' }
const NO_TUNNEL: Refusal = { status: 405, detail: 'CONNECT is not possible here', headers: { Allow: '' } }
const MALFORMED: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'the request headers are larger than 16 KiB' },
  HPE_INVALID_TRANSFER_ENCODING: UNKNOWN_CODING,
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'the request did not arrive in time' },
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket, isBusy: boolean): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isBusy) {
    socket.destroy()
    return
  }
  socket.end(refusalMessage(MALFORMED[error.code ?? ''] ?? { status: 400, detail: 'the request is not valid HTTP' }))
}

function listenError(error: unknown, { host, port, variables }: ListenOptions): ListenError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const names = variables ?? { port: 'PORT', host: 'HOST' }
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use: stop what listens there or set ${names.port} to a free port`,
    EACCES: `port ${port} is not permitted: set ${names.port} to a port of 1024 or above`,
    EADDRNOTAVAIL: `address ${host} is not one of this machine's: set ${names.host}`,
    ENOTFOUND: `host ${host} is not known: set ${names.host}`,
  }
  const reason =
    (typeof code === 'string' && reasons[code]) || `cannot listen on ${host}:${port} (${names.host}, ${names.port})`
  return new ListenError(reason, { cause: error })
}
