import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createWebGuard } from '@taproom/http'
import type { RequestHandler } from 'express'
import { StatusError, type StatusReason } from './status.ts'

export interface GuardOptions {
  /** Hosts, without ports, that requests may name, besides loopback names and the address they came in at. */
  readonly allowedHosts?: readonly string[]
  /** Whether only this machine can reach the API: every caller may then write. */
  readonly isLocalOnly: boolean
  /** Needed to write otherwise; without one, writing is refused. */
  readonly token?: string | undefined
}

/** Refuses requests of foreign web pages with a Kubernetes `Status`, and writes without the token where other machines reach the API. */
export function guard({ allowedHosts = [], isLocalOnly, token }: GuardOptions): RequestHandler {
  const pages = createWebGuard({ names: allowedHosts, addresses: 'own', namesFrom: 'KUBE_ALLOWED_HOSTS' })
  return (req, _res, next) => {
    const refusal = pages.refusal(req)
    if (refusal !== undefined) throw new StatusError(REASONS[refusal.status], refusal.detail)
    const isReading = READING.has(req.method)
    if (!isLocalOnly && !isReading && !isToken(passwordOf(req), token)) throw new StatusError('Unauthorized', NO_TOKEN)
    next()
  }
}

/** Kubernetes has no reason for 421: `kubectl proxy` answers another Host with 403, too. */
const REASONS = { 403: 'Forbidden', 415: 'UnsupportedMediaType', 421: 'Forbidden' } as const satisfies Record<
  number,
  StatusReason
>

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

const NO_TOKEN =
  'writing needs the token of KUBE_TOKEN_FILE, as bearer token or as password: kubectl -s http://kubectl:TOKEN@HOST:PORT'

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
