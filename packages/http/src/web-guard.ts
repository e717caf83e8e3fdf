import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import { hostname } from 'node:os'
import type { Problem } from './problem.ts'

export interface WebGuardOptions {
  /** Hosts without port that requests may name, besides `localhost`, names below it and this machine's name. Default: none. */
  readonly names?: readonly (string | RegExp)[]
  /**
   * IP addresses that requests may name. `any`, the default: no page can make the address of another machine lead here. `own`: loopback
   * addresses, and the one that the request came in at.
   */
  readonly addresses?: 'any' | 'own'
  /** True: the Host must name the port on which the request arrived. Default false, because a tunnel or a container may publish another port. */
  readonly needsPort?: boolean
  /** Origins whose pages may send requests, besides the server's own. Default: none; `*` stands for all. */
  readonly origins?: readonly string[]
  /** The variable or option that adds to `names`; a refusal names it. */
  readonly namesFrom?: string
}

/** Why a request is refused: 421 for its Host, 403 for the page that sent it, 415 for a body that any page could send. */
export interface WebRefusal extends Problem {
  readonly status: 403 | 415 | 421
  readonly detail: string
}

/** The check of a server; both functions give undefined when the request may be served. */
export interface WebGuard {
  refusal(request: IncomingMessage): WebRefusal | undefined
  /** By the Host alone: for what decides by itself which pages may use it. */
  hostRefusal(request: IncomingMessage): WebRefusal | undefined
}

/**
 * Creates the check that keeps web pages away from a server for development, which a browser on the same machine reaches without any
 * password. A request is refused:
 *
 * - for a Host that is not this machine's: with DNS rebinding a page can make its own name lead here, and then counts as the server's own
 * - when a browser says that a page of another origin sent it (`Origin`, `Sec-Fetch-Site`); following a link is allowed, because the page
 *   with the link cannot see the answer
 * - when a browser sends, to change something, what it sends for every page without asking first: a form, a text, or no type at all
 *
 * Clients that are no browsers send neither `Origin` nor `Sec-Fetch-Site`: for them the Host alone counts.
 */
export function createWebGuard(options: WebGuardOptions = {}): WebGuard {
  const isServed = servedHosts(options)
  const origins = new Set(options.origins)
  const hostRefusal = (request: IncomingMessage) =>
    hostsOf(request).every((host) => isServed(host, request)) ? undefined : notServed(request, options)
  return {
    hostRefusal,
    refusal: (request) => hostRefusal(request) ?? pageRefusal(request, origins) ?? typeRefusal(request, origins),
  }
}

/** True for addresses and names that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase()
  return name === 'localhost' || name === '::1' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'))
}

type IsServed = (host: string, request: IncomingMessage) => boolean

function servedHosts({ names: others = [], addresses = 'any', needsPort = false }: WebGuardOptions): IsServed {
  const texts = others.filter((name) => typeof name === 'string')
  const patterns = others.filter((name) => typeof name !== 'string')
  const names = new Set([hostname(), ...texts].map((name) => name.toLowerCase()))
  return (host, { socket }) => {
    if (needsPort && !host.endsWith(`:${socket.localPort}`)) return false
    const name = host.replace(/:\d*$/, '')
    if (isLoopback(name) || name.endsWith('.localhost') || names.has(name)) return true
    if (patterns.some((pattern) => pattern.test(name))) return true
    return addresses === 'any' ? isAddress(name) : name !== '' && name === asHost(socket.localAddress)
  }
}

function isAddress(name: string): boolean {
  return isIP(name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name) !== 0
}

/** An address as a Host header has it: IPv6 in brackets, IPv4-mapped IPv6 as IPv4. */
function asHost(localAddress = ''): string {
  const address = localAddress.replace(/^::ffff:/i, '')
  return address.includes(':') ? `[${address.toLowerCase()}]` : address
}

function notServed({ socket }: IncomingMessage, { needsPort, namesFrom }: WebGuardOptions): WebRefusal {
  const port = needsPort === true ? ` with port ${socket.localPort}` : ''
  const further = namesFrom === undefined ? '' : `, or add the host to ${namesFrom}`
  const detail = `this host is not served here: use localhost or an address of this machine${port}${further}`
  return { status: 421, detail, headers: { Connection: 'close' } }
}

/** From the Host header and, in the form for proxies, the target. */
function hostsOf({ headers, url = '' }: IncomingMessage): readonly string[] {
  const target = url.startsWith('/') || url === '*' ? [] : [URL.canParse(url) ? new URL(url).host : '']
  return [headers.host ?? '', ...target].map((host) => host.toLowerCase())
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD'])

function pageRefusal({ method = '', headers }: IncomingMessage, origins: ReadonlySet<string>): WebRefusal | undefined {
  const { origin } = headers
  if (isAllowed(origin, origins)) return undefined
  const site = headers['sec-fetch-site'] ?? 'none'
  const isOwn = origin === undefined || isOwnOrigin(origin, headers.host)
  if (isOwn && (site === 'none' || site === 'same-origin')) return undefined
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  if (isOwn && isLink && READING.has(method)) return undefined
  return { status: 403, detail: 'a page of another origin sent this request: web pages of others get nothing here' }
}

function isAllowed(origin: string | undefined, origins: ReadonlySet<string>): boolean {
  return origin !== undefined && (origins.has('*') || origins.has(origin))
}

/** Also by HTTPS, when something in front of the server speaks it. */
function isOwnOrigin(origin: string, host = ''): boolean {
  return [`http://${host}`, `https://${host}`].includes(origin.toLowerCase())
}

/** Content types that a browser sends for any page without a preflight (CORS-safelisted in the Fetch Standard). No type counts as text. */
const SIMPLE_TYPES: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
])

function typeRefusal({ method = '', headers }: IncomingMessage, origins: ReadonlySet<string>): WebRefusal | undefined {
  if (READING.has(method) || method === 'OPTIONS' || isAllowed(headers.origin, origins)) return undefined
  const isOfBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
  // A browser asks before it sends this header, and before every method but POST.
  const isAskedFor = /^bearer /i.test(headers.authorization ?? '')
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!isOfBrowser || isAskedFor || !(hasBody || method === 'POST')) return undefined
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!SIMPLE_TYPES.has(type)) return undefined
  const detail = `Content-Type "${type}": from a browser, expected one that no form can have, such as application/json`
  return { status: 415, detail }
}
