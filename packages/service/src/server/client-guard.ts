import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { AppParts } from '../app/app-parts.ts'
import { createAccessLog } from '../requests/access-log.ts'
import { LOCAL_PROXIES, readProxies, type TrustedProxies } from '../requests/client-address.ts'
import { countConnections, type Gate, rateLimitGate } from '../requests/client-limits.ts'
import { type CorsOptions, corsHeaders, corsPermission, corsPreflight } from '../requests/cors.ts'
import type { RateLimit } from '../requests/rate-limit.ts'
import type { Refusal } from '../requests/refusal.ts'
import { createSecurityLog } from '../requests/refusal-log.ts'

/** What a service asks of its clients; by default nothing. */
export interface ClientOptions {
  /** Whose `X-Forwarded-For` is believed. Default: this machine's. */
  readonly trustedProxies: TrustedProxies
  /** Default: no limit. */
  readonly rateLimit: RateLimit | undefined
  /** Paths that may be read (GET, HEAD) at any rate, with all below them. Default: none. */
  readonly unlimitedPaths: readonly string[]
  /** 0 is no limit but that of all clients together; the default. */
  readonly maxConnectionsPerClient: number
  /** Whether the app's log has a line for each request. Default false. */
  readonly accessLog: boolean
  /** … and for each refusal. Default false. */
  readonly securityLog: boolean
  /** Default: scripts of other origins may do nothing. */
  readonly cors: CorsOptions | undefined
}

/** What is asked of clients before the app sees a request; refusals are counted in the app's metrics. */
export function guardClients(options: Partial<ClientOptions>, parts: AppParts | undefined) {
  const { trustedProxies = readProxies(LOCAL_PROXIES), rateLimit, unlimitedPaths = [], cors } = options
  const most = options.maxConnectionsPerClient ?? 0
  const count = (reason: string) => parts?.metrics?.add?.('http_server_refused_total', { reason }, 1)
  const refused = (reason: string, refusal: Refusal) => (req: IncomingMessage) => {
    count(reason)
    security?.refused(req, refusal)
  }
  const hasRoom = most > 0 ? countConnections(most, trustedProxies) : () => true

  const security = options.securityLog && parts ? createSecurityLog(parts.log, trustedProxies) : undefined
  const watchers: RequestListener[] = []
  if (options.accessLog && parts) watchers.push(createAccessLog(parts.log, trustedProxies))
  if (security) watchers.push(security.watch)

  const gates: Gate[] = []
  // First, so that a script can read every answer that it gets.
  if (cors !== undefined) gates.push(corsPermission(cors))
  if (rateLimit !== undefined) {
    const onRefused = refused('rate', TOO_OFTEN)
    gates.push(rateLimitGate({ rateLimit, trustedProxies, unlimitedPaths, onRefused }))
  }
  if (cors !== undefined) gates.push(corsPreflight(cors, refused('origin', OTHER_ORIGIN)))
  return {
    /** Of every answer. */
    headers: cors === undefined ? {} : corsHeaders(cors),
    /** Whether a new connection may stay. */
    admits(socket: Socket): boolean {
      if (hasRoom(socket)) return true
      count('connections')
      security?.refusedBytes(socket, TOO_MANY)
      return false
    },
    /** To be called before anything else is done with a request. */
    watchers,
    /** The first that is true has answered the request, which the app is not to see. */
    gates,
    refused: (req: IncomingMessage, refusal: Refusal): void => security?.refused(req, refusal),
    refusedBytes: (socket: Socket, refusal: Refusal): void => security?.refusedBytes(socket, refusal),
  }
}

const TOO_OFTEN: Refusal = { status: 429, detail: 'more requests per second than one client may send' }
const TOO_MANY: Refusal = { status: 429, detail: 'more connections than one client may have' }
const OTHER_ORIGIN: Refusal = { status: 403, detail: 'an origin that is not allowed' }
