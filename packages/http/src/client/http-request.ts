import { isHeaderName, isHeaderValue } from '../header-syntax.ts'
import { type Address, addressOf, basic } from './address.ts'
import { HttpClientError } from './http-client-error.ts'
import { type OutboundProxy, proxyOf } from './proxy.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** Http or https. Credentials in it are sent as `Authorization: Basic`. */
  readonly url: string | URL
  /** Percent-encoded path and query that replace those of `url`: a URL parsed once then serves many paths. */
  readonly path?: string | undefined
  /**
   * Sent with their names in lower case. Those of the connection and of the body's length are the client's own. Frozen ones are checked once.
   */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
  /** For the whole exchange: from when it is asked for, until the last byte is read. */
  readonly timeoutMs: number
  /** Ends the exchange, also while the body is read. */
  readonly signal?: AbortSignal | undefined
  /**
   * How many bytes of the body are read at most, a whole number from 0; a function gets the answer's head. With 0 the answer comes with its head: a short
   * body is dropped, so that the connection serves again, and a longer one ends the connection.
   */
  readonly limitBytes: number | ((head: AnswerHead) => number)
  /**
   * Whether it is sent once more, over a new connection and within the same time, when a connection that was used before ends without a byte
   * of an answer: the other side may just have closed it as idle. Default false.
   */
  readonly isRepeatable?: boolean
}

/** By their names in lower case; one that comes several times has a list of values. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface AnswerHead {
  readonly status: number
  readonly headers: AnswerHeaders
}

/** A request as it is sent, and where to. */
export interface PreparedRequest {
  readonly origin: Origin
  /** Latin-1, with a body of moderate size. */
  readonly text: string
  /** A larger body. */
  readonly rest: Buffer | undefined
}

export interface Origin extends Address {
  /** The same for the same origin. */
  readonly key: string
  readonly proxy: OutboundProxy | undefined
}

/** A body up to this is sent in one piece with the head. */
const ONE_PIECE_BYTES = 16 * 1024
const PATH = /^\/[\x21-\x7e]*$/
const NONE: Readonly<Record<string, string>> = Object.freeze({})
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
])

/**
 * @throws {TypeError} when the URL is none, or not http or https
 * @throws {HttpClientError} with `HTTP_REQUEST_INVALID` when path or headers are not for one request
 */
export function prepareRequest({ method, url, path, headers = NONE, body }: HttpRequest): PreparedRequest {
  const target = targetOf(typeof url === 'string' ? new URL(url) : url)
  const { origin, credentials } = target
  const pathAndQuery = path === '' ? '/' : (path ?? target.path)
  if (!PATH.test(pathAndQuery)) throw invalid('the path', pathAndQuery)
  const own = linesOf(headers)
  let text = `${method} ${relayed(target)}${pathAndQuery} HTTP/1.1\r\n${own.text}`
  if (credentials !== undefined && !own.isAuthorized) text += `authorization: ${basic(credentials)}\r\n`
  if (!origin.isSecure && origin.proxy?.authorization !== undefined) {
    text += `proxy-authorization: ${origin.proxy.authorization}\r\n`
  }
  text += `host: ${target.host}\r\nconnection: keep-alive\r\n`
  if (body === undefined) return { origin, text: `${text}\r\n`, rest: undefined }
  text += `content-length: ${body.length}\r\n\r\n`
  return body.length <= ONE_PIECE_BYTES
    ? { origin, text: text + body.toString('latin1'), rest: undefined }
    : { origin, text, rest: body }
}

interface HeaderLines {
  readonly text: string
  /** Whether `authorization` is one of them. */
  readonly isAuthorized: boolean
}

const linesOfFrozen = new WeakMap<object, HeaderLines>()

/** Those of a frozen object are made once: most requests of a service have the same headers. */
function linesOf(headers: Readonly<Record<string, string>>): HeaderLines {
  const known = linesOfFrozen.get(headers)
  if (known !== undefined) return known
  let text = ''
  let isAuthorized = false
  for (const given in headers) {
    const name = nameOf(given)
    const value = headers[given] ?? ''
    if (!isHeaderValue(value)) throw invalid('the header', name)
    isAuthorized ||= name === 'authorization'
    text += `${name}: ${value}\r\n`
  }
  const lines = { text, isAuthorized }
  if (Object.isFrozen(headers)) linesOfFrozen.set(headers, lines)
  return lines
}

/** In lower case, by how they were given; of all clients, as what is a name does not depend on who sends it. */
const checkedNames = new Map<string, string>()
/** Names that are kept once they are checked: services send the same few again and again. */
const [MOST_NAMES, LONGEST_NAME] = [500, 50]

function nameOf(given: string): string {
  const checked = checkedNames.get(given)
  if (checked !== undefined) return checked
  const name = given.toLowerCase()
  if (!isHeaderName(name) || OWN_HEADERS.has(name)) throw invalid('the header', name)
  if (checkedNames.size === MOST_NAMES) checkedNames.clear()
  if (name.length <= LONGEST_NAME) checkedNames.set(given, name)
  return name
}

/** What a request needs of its URL. */
interface Target {
  /** The URL as it was then. */
  readonly href: string
  readonly origin: Origin
  /** Of the header. */
  readonly host: string
  readonly path: string
  readonly credentials: Pick<URL, 'username' | 'password'> | undefined
}

const targets = new WeakMap<URL, Target>()

/** Kept with the URL, which computes each of its parts at each access. */
function targetOf(url: URL): Target {
  const known = targets.get(url)
  if (known !== undefined && known.href === url.href) return known
  const { href, host, username, password } = url
  const credentials = username === '' && password === '' ? undefined : { username, password }
  const target = { href, origin: originOf(url), host, path: url.pathname + url.search, credentials }
  targets.set(url, target)
  return target
}

function originOf(url: URL): Origin {
  const address = addressOf(url)
  return { ...address, key: `${url.protocol}//${url.host}`, proxy: proxyOf(address) }
}

/** Returns the origin, which a proxy needs before the path of a request without TLS (RFC 9112, section 3.2.2). */
function relayed({ origin, host }: Target): string {
  return origin.proxy === undefined || origin.isSecure ? '' : `http://${host}`
}

function invalid(what: string, text: string): HttpClientError {
  return new HttpClientError('HTTP_REQUEST_INVALID', `${what} cannot be sent: ${JSON.stringify(text.slice(0, 100))}`)
}
