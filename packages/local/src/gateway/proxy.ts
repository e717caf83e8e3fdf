import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { PatientAgent } from './patient-agent.ts'
import { sendProblem } from './problem.ts'

/** Where a request is passed on to. */
export interface ProxyTarget {
  readonly service: string
  /** Undefined while the service doesn't run. */
  readonly port: number | undefined
  readonly path: string
  /** The host the client asked for, told to the service as the only one; undefined when it named none. */
  readonly host: string | undefined
}

/** Options of {@link createProxy}. */
export interface ProxyOptions {
  /** Told of each request that a service did not answer. */
  readonly onFailure?: ((service: string, status: 502 | 503, reason: string) => void) | undefined
}

/** Passes requests on to services on this machine and their answers back, as they come. */
export interface Proxy extends Disposable {
  forward(incoming: IncomingMessage, response: ServerResponse, target: ProxyTarget): void
}

/** Headers between two neighbours, which are not passed on (RFC 9110, section 7.6.1); `Expect` has been answered here. */
const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** What a request is passed on without: its host is the one of its target. */
const requestOnly = new Set([...hopByHop, 'host'])
const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Creates a proxy that buffers nothing: bytes of bodies and headers are passed on untouched in both directions, and whoever breaks off,
 * the other side learns of it. A service that can't be reached is 503, one that breaks off before it answered 502.
 */
export function createProxy({ onFailure = () => {} }: ProxyOptions = {}): Proxy {
  const agent = new PatientAgent()

  function forward(incoming: IncomingMessage, response: ServerResponse, target: ProxyTarget, isRetry = false): void {
    const refuse = (status: 502 | 503, reason: string) => {
      onFailure(target.service, status, reason)
      unavailable(response, status, target.service)
    }
    if (target.port === undefined) {
      refuse(503, 'not running')
      return
    }
    const outgoing = request({
      agent: isRetry ? false : agent,
      host: '127.0.0.1',
      port: target.port,
      method: incoming.method ?? 'GET',
      path: target.path,
      headers: [
        'Host',
        target.host ?? `127.0.0.1:${target.port}`,
        ...passedOn(incoming.rawHeaders, requestOnly),
        ...framing(incoming),
      ],
      setHost: false,
    })
    outgoing.once('response', (answer) => passBack(answer, response))
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (response.headersSent || response.destroyed) return
      // The service closed an idle connection just as it was taken for this request, which it has not seen.
      if (outgoing.reusedSocket && !isRetry && isRepeatable(incoming)) forward(incoming, response, target, true)
      else refuse(error.code === 'ECONNREFUSED' ? 503 : 502, error.code ?? error.message)
    })
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy()
    })
    passBody(incoming, outgoing)
  }

  return {
    forward: (incoming, response, target) => forward(incoming, response, target),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

/** The header that says how long the body is, where the client's own can't be passed on or it needed none. */
function framing({ method = 'GET', headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  return headers['content-length'] === undefined && !safe.has(method) ? ['Content-Length', '0'] : []
}

function isRepeatable({ method = 'GET', headers }: IncomingMessage): boolean {
  return safe.has(method) && headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

function passBody(incoming: IncomingMessage, outgoing: ClientRequest): void {
  incoming.once('error', () => outgoing.destroy())
  // A service may answer and close before it has read everything; what is still coming is then let go.
  outgoing.once('close', () => incoming.unpipe(outgoing).resume())
  incoming.pipe(outgoing)
}

function passBack(answer: IncomingMessage, response: ServerResponse): void {
  if (response.destroyed) {
    answer.destroy()
    return
  }
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer.rawHeaders, hopByHop))
  response.flushHeaders()
  answer.once('error', () => response.destroy())
  answer.once('close', () => {
    if (!answer.complete) response.destroy()
  })
  answer.pipe(response)
}

/** Headers without those left out and those that `Connection` names. */
function passedOn(rawHeaders: readonly string[], leftOut: ReadonlySet<string>): string[] {
  const dropped = new Set(leftOut)
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'connection') continue
    for (const name of (rawHeaders[index + 1] ?? '').split(',')) dropped.add(name.trim().toLowerCase())
  }
  const headers: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!dropped.has(name.toLowerCase())) headers.push(name, value)
  }
  return headers
}

function unavailable(response: ServerResponse, status: 502 | 503, service: string): void {
  const detail = status === 503 ? `${service} is not available right now` : `${service} broke off before it answered`
  sendProblem(response, status, detail, { 'Retry-After': '1' })
}
