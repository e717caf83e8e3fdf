import { randomBytes } from 'node:crypto'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { reasonOf } from '@taproom/core/lines'
import { HttpProblem } from '@taproom/service'

/** A request to the gateway, and to nowhere else. */
export interface GatewayRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
}

/** An answer whose body is still to come. */
export interface GatewayAnswer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: IncomingMessage
  /** Headers as they were sent, with those of the connection. */
  readonly sentHeaders: readonly (readonly [string, string])[]
}

/** A trace of its own, so that what a request leads to can be found. */
export interface OwnTrace {
  readonly traceId: string
  readonly spanId: string
  readonly traceparent: string
}

const HEAD_MS = 120_000
/** Headers of the connection, and headers that the console sets itself. */
const NOT_GIVEN: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Methods that expect no body. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])

export function beginTrace(): OwnTrace {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` }
}

/**
 * Makes a request and gives the answer's head as soon as it is there.
 * @throws {HttpProblem} 400 for what cannot be sent, 503 when nothing answers there
 */
export async function callGateway(
  gateway: string,
  wanted: GatewayRequest,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const call = open(gateway, wanted, signal)
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => {
      const detail = `the gateway at ${gateway} does not answer: ${reasonOf(cause)}`
      reject(new HttpProblem(503, { detail, headers: { 'Retry-After': '1' }, cause }))
    }
    call.setTimeout(HEAD_MS, () => call.destroy(new Error(`nothing came for ${HEAD_MS} ms`)))
    call.once('error', fail)
    call.once('response', (body) => {
      call.setTimeout(0)
      const headers = pairs(body.rawHeaders)
      resolve({ status: body.statusCode ?? 0, headers, body, sentHeaders: pairs(headersOf(call)) })
    })
    call.end(wanted.body)
  })
}

function open(gateway: string, { method, path, headers, body }: GatewayRequest, signal: AbortSignal): ClientRequest {
  if (!path.startsWith('/'))
    throw new HttpProblem(400, { detail: `path is ${JSON.stringify(path)}: expected a path that begins with /` })
  const refused = Object.keys(headers).find((name) => NOT_GIVEN.has(name.toLowerCase()))
  if (refused !== undefined) throw new HttpProblem(400, { detail: `header ${refused} is set by the console itself` })
  const { hostname, port } = new URL(gateway)
  // Node would add these itself: they are set, so that the shown headers are those that are sent.
  const hasLength = body !== undefined || !BODILESS.has(method)
  const own = { ...(hasLength && { 'Content-Length': body?.length ?? 0 }), Connection: 'close' }
  try {
    return request({
      ...{ host: hostname.replace(/^\[|\]$/g, ''), port, method, path, signal, agent: false },
      headers: { ...headers, ...own },
    })
  } catch (error) {
    // Node refuses names, values and paths that are not valid HTTP.
    throw new HttpProblem(400, { detail: reasonOf(error), cause: error })
  }
}

function headersOf(call: ClientRequest): string[] {
  return call
    .getRawHeaderNames()
    .flatMap((name) => [call.getHeader(name)].flat().flatMap((value) => [name, String(value)]))
}

function pairs(raw: readonly string[]): (readonly [string, string])[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []))
}
