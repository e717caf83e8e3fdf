import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'

/** Why a request is refused before any handler sees it. */
export interface Refusal {
  readonly status: number
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
}

/** `uri-host [":" port]` (RFC 9110, section 7.2); it may be empty. */
const validHost = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i

/**
 * Why this request's head can't be trusted or served, whatever it asks for: it names no host or several (RFC 9112, section 3.2), or
 * its body has a coding other than `chunked` (section 6.1). One pass over the headers as they came, because Node drops a second Host.
 */
export function refusalOf({ rawHeaders, httpVersionMajor, httpVersionMinor }: IncomingMessage): Refusal | undefined {
  let host: string | undefined
  let isCoded = false
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') {
      if (host !== undefined) return { status: 400, detail: 'the request has more than one Host header' }
      host = rawHeaders[index + 1] ?? ''
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      isCoded ||= rawHeaders[index + 1]?.toLowerCase() !== 'chunked'
    }
  }
  if (host === undefined) {
    if (httpVersionMajor === 1 && httpVersionMinor === 0) return isCoded ? UNKNOWN_CODING : undefined
    return { status: 400, detail: 'the request has no Host header' }
  }
  if (!validHost.test(host)) return { status: 400, detail: 'the Host header is not a host with an optional port' }
  return isCoded ? UNKNOWN_CODING : undefined
}

/** The body can't be read: where it ends is not known. */
export const UNKNOWN_CODING: Refusal = { status: 501, detail: 'the only Transfer-Encoding possible here is chunked' }

/** Answers with the refusal and ends the connection, whose next bytes may be anything. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  const body = problemOf(refusal)
  response.writeHead(refusal.status, headersOf(refusal, body))
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** The refusal as the bytes of a whole answer, for a connection without a response object. */
export function refusalMessage(refusal: Refusal): string {
  const body = problemOf(refusal)
  const headers = Object.entries(headersOf(refusal, body)).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${headers.join('')}\r\n${body}`
}

function problemOf({ status, detail }: Refusal): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail })
}

function headersOf({ headers }: Refusal, body: string): Record<string, string | number> {
  return {
    ...headers,
    Connection: 'close',
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
  }
}
