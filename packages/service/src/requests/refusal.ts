import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { type Problem, problemAnswer, sendProblem } from '@taproom/http'

/** Why a request is refused before any handler sees it. */
export type Refusal = Problem & { readonly detail: string }

/** `uri-host [":" port]` (RFC 9110, section 7.2); it may be empty. */
const VALID_HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::(?<port>\d{0,5}))?$/i
/** Some parsers read a backslash as a slash and end the path at a fragment. Neither is allowed in a target (RFC 9112, section 3.2). */
const AMBIGUOUS = /[\\#]/

/**
 * Why a request is refused by its head alone: it names no host or several (RFC 9112, section 3.2), has a transfer coding other than `chunked`
 * (section 6.1), an ambiguous target, or too many headers. One pass over the raw headers, because Node drops a second Host. `last` means that
 * the request is served and its connection then closed: Node does not read what follows an offer to upgrade.
 */
export function refusalOf(request: IncomingMessage, maxHeaders: number): Refusal | 'last' | undefined {
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = request
  const isOld = httpVersionMajor === 1 && httpVersionMinor === 0
  if (!isOld && (httpVersionMajor !== 1 || httpVersionMinor !== 1)) return UNKNOWN_VERSION
  if (rawHeaders.length > 2 * maxHeaders) {
    return { status: 431, detail: `the request has more than ${maxHeaders} headers` }
  }
  let host: string | undefined
  let isCoded = false
  let isUnread = false
  let isLast = false
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') {
      if (host !== undefined) return { status: 400, detail: 'the request has more than one Host header' }
      host = rawHeaders[index + 1] ?? ''
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      isCoded = true
      isUnread ||= rawHeaders[index + 1]?.toLowerCase() !== 'chunked'
    } else if (name.length === 7 && name.toLowerCase() === 'upgrade') isLast = true
  }
  if (host === undefined && !isOld) return { status: 400, detail: 'the request has no Host header' }
  if (host !== undefined && !isHost(host)) {
    return { status: 400, detail: 'the Host header is not a host with an optional port' }
  }
  if (isUnread) return UNKNOWN_CODING
  if (isCoded && isOld) return { status: 400, detail: 'a request of HTTP/1.0 can have no Transfer-Encoding' }
  return readTarget(request) ?? (isLast ? 'last' : undefined)
}

function isHost(text: string): boolean {
  const found = VALID_HOST.exec(text)
  return found !== null && Number(found.groups?.['port'] ?? 0) <= 65_535
}

/**
 * Reduces a target that is a whole URL to its path, and makes its host the Host header (RFC 9112, section 3.2.2), so that handlers see an
 * ordinary request.
 */
function readTarget(request: IncomingMessage): Refusal | undefined {
  const target = request.url ?? ''
  if (AMBIGUOUS.test(target)) return { status: 400, detail: 'the target of the request must have neither \\ nor #' }
  if (target.startsWith('/') || (target === '*' && request.method === 'OPTIONS')) return undefined
  const { host = '', path = '' } = /^https?:\/\/(?<host>[^/?]+)(?<path>.*)$/i.exec(target)?.groups ?? {}
  if (host === '' || !isHost(host)) {
    return {
      status: 400,
      detail: 'the target of the request is neither a path nor an http URL of a host with an optional port',
    }
  }
  request.url = path.startsWith('/') ? path : `/${path}`
  request.headers.host = host
  const at = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (at < 0) request.rawHeaders.push('Host', host)
  else request.rawHeaders[at + 1] = host
  return undefined
}

const UNKNOWN_VERSION: Refusal = { status: 400, detail: 'the versions possible here are HTTP/1.0 and HTTP/1.1' }
/** Where the body ends is not known. */
const UNKNOWN_CODING: Refusal = { status: 501, detail: 'the only Transfer-Encoding possible here is chunked, once' }
export const UNKNOWN_EXPECTATION: Refusal = {
  status: 417,
  detail: 'the only expectation possible here is 100-continue',
}
export const NO_TUNNEL: Refusal = { status: 405, detail: 'CONNECT is not possible here', headers: { Allow: '' } }
const TWO_FRAMINGS: Refusal = { status: 400, detail: 'the request says more than once where its body ends' }

/** The answer to a parser's error. */
export function refusalOfMalformed(error: NodeJS.ErrnoException & { readonly reason?: unknown }): Refusal {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, detail: 'the request headers are larger than 16 KiB' }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, detail: 'the extensions of the chunks are larger than 16 KiB' }
    case 'HPE_INVALID_TRANSFER_ENCODING':
      return /content-length/i.test(String(error.reason)) ? TWO_FRAMINGS : UNKNOWN_CODING
    case 'HPE_UNEXPECTED_CONTENT_LENGTH':
      return TWO_FRAMINGS
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, detail: 'the request did not arrive in time' }
    default:
      return { status: 400, detail: 'the request is not valid HTTP' }
  }
}

/** Answers with the refusal and closes the connection: its next bytes may be anything. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  sendProblem(response, closing(refusal))
}

/** The refusal as the bytes of a whole answer with `more` headers, for a connection without a response object. */
export function refusalMessage(refusal: Refusal, more: Readonly<Record<string, string>>): string {
  const { headers, body } = problemAnswer(closing(refusal))
  const lines = Object.entries({ ...more, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`
}

function closing(refusal: Refusal): Problem {
  return { ...refusal, headers: { ...refusal.headers, Connection: 'close' } }
}
