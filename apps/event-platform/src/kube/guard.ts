import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import type { RequestHandler } from 'express'
import { StatusError } from './status.ts'

/** Who may use the resource API. */
export interface GuardOptions {
  /** Hosts that requests may be meant for, beside this machine's loopback names and the address they came in at; without ports. */
  readonly allowedHosts?: readonly string[]
  /** Whether only this machine reaches the API: then every caller may write. */
  readonly isLocalOnly: boolean
  /** What a caller needs to write otherwise; without a token none can. */
  readonly token?: string | undefined
}

/** Whether an address to listen on can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return (
    host === '::1' ||
    host === '[::1]' ||
    host.toLowerCase() === 'localhost' ||
    (isIPv4(host) && host.startsWith('127.'))
  )
}

/**
 * Refuses requests that were meant for another host, as `kubectl proxy` does: a web page whose name was made to point at this machine
 * could use the API otherwise. Refuses what a browser sends for a page of another origin, and writes without the token where
 * others than this machine's users reach the API.
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

/** The hosts a request names: in its Host header and, if it has the form for proxies, in its target. */
function hostsOf({ headers, url = '' }: IncomingMessage): readonly string[] {
  const target = url.startsWith('/') || url === '*' ? [] : [URL.parse(url)?.host ?? '']
  return [headers.host ?? '', ...target].map((host) => host.toLowerCase().replace(/:\d*$/, ''))
}

/** As a host has it: in brackets when it is of version 6, and without the prefix of one of version 4 in version 6. */
function addressOf(localAddress = ''): string {
  const address = localAddress.replace(/^::ffff:/i, '')
  return address.includes(':') ? `[${address.toLowerCase()}]` : address
}

/** Following a link is allowed: the page it is on sees nothing of what comes. */
function isOfAnotherOrigin({ method = '', headers }: IncomingMessage): boolean {
  const { origin, host = '' } = headers
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) return true
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site === 'none' || site === 'same-origin') return false
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return !(isLink && (method === 'GET' || method === 'HEAD'))
}

/** The token of `Authorization`: kubectl sends none over plain HTTP, but the user and password of its server's URL. */
function passwordOf({ headers }: IncomingMessage): string | undefined {
  const [, scheme, credentials = ''] = /^(bearer|basic) +([\w.~+/=-]+)$/i.exec(headers.authorization ?? '') ?? []
  if (scheme?.toLowerCase() !== 'basic') return scheme && credentials
  const text = Buffer.from(credentials, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}

/** Takes as long for any text, so that a token cannot be found part by part. */
function isToken(text: string | undefined, token: string | undefined): boolean {
  if (text === undefined || token === undefined) return false
  const [given, wanted] = [text, token].map((part) => createHash('sha256').update(part).digest())
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted)
}
