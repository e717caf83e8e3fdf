import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import type { RequestHandler } from 'express'
import { StatusError } from './status.ts'

export interface GuardOptions {
  /** Hosts, without ports, that requests may name, besides loopback names and the address they came in at. */
  readonly allowedHosts?: readonly string[]
  /** Whether only this machine can reach the API: every caller may then write. */
  readonly isLocalOnly: boolean
  /** Needed to write otherwise; without one, writing is refused. */
  readonly token?: string | undefined
}

/** Whether only this machine can reach a listening address. */
export function isLoopback(host: string): boolean {
  return (
    host === '::1' ||
    host === '[::1]' ||
    host.toLowerCase() === 'localhost' ||
    (isIPv4(host) && host.startsWith('127.'))
  )
}

/**
 * Refuses requests for other hosts, as `kubectl proxy` does: with DNS rebinding a web page could otherwise use the API. Also refuses
 * requests of pages of other origins, and writing without the token where other machines reach the API.
 */
export function guard({ allowedHosts = [], isLocalOnly, token }: GuardOptions): RequestHandler {
  const names = new Set(allowedHosts.map((name) => name.toLowerCase()))
  const isAllowed = (host: string, { socket }: IncomingMessage) =>
    isLoopback(host) || names.has(host) || (host !== '' && host === addressOf(socket.localAddress))
  return (req, _res, next) => {
    if (!hostsOf(req).every((host) => isAllowed(host, req))) {
      throw new StatusError('Forbidden', 'this API answers at localhost and the hosts of KUBE_ALLOWED_HOSTS only')
    }
    if (isOfAnotherOrigin(req)) throw new StatusError('Forbidden', 'this API answers no pages of other origins')
    const isReading = READING.has(req.method)
    if (!isLocalOnly && !isReading && !isToken(passwordOf(req), token)) throw new StatusError('Unauthorized', NO_TOKEN)
    next()
  }
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

const NO_TOKEN =
  'writing needs the token of KUBE_TOKEN_FILE, as bearer token or as password: kubectl -s http://kubectl:TOKEN@HOST:PORT'

/** From the Host header and, in the form for proxies, the target. */
function hostsOf({ headers, url = '' }: IncomingMessage): readonly string[] {
  const target = url.startsWith('/') || url === '*' ? [] : [URL.parse(url)?.host ?? '']
  return [headers.host ?? '', ...target].map((host) => host.toLowerCase().replace(/:\d*$/, ''))
}

/** As in a Host header: IPv6 in brackets, IPv4-mapped IPv6 as IPv4. */
function addressOf(localAddress = ''): string {
  const address = localAddress.replace(/^::ffff:/i, '')
  return address.includes(':') ? `[${address.toLowerCase()}]` : address
}

/** Following a link is allowed: the linking page cannot see the answer. */
function isOfAnotherOrigin({ method = '', headers }: IncomingMessage): boolean {
  const { origin, host = '' } = headers
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) return true
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site === 'none' || site === 'same-origin') return false
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return !(isLink && (method === 'GET' || method === 'HEAD'))
}

/** From a bearer token or a password: over plain HTTP kubectl sends only user and password of its server's URL. */
function passwordOf({ headers }: IncomingMessage): string | undefined {
  const [, scheme, credentials = ''] = /^(bearer|basic) +([\w.~+/=-]+)$/i.exec(headers.authorization ?? '') ?? []
  if (scheme?.toLowerCase() !== 'basic') return scheme && credentials
  const text = Buffer.from(credentials, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}

/** In constant time, so that timing reveals nothing of the token. */
function isToken(text: string | undefined, token: string | undefined): boolean {
  if (text === undefined || token === undefined) return false
  const [given, wanted] = [text, token].map((part) => createHash('sha256').update(part).digest())
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted)
}
