import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendProblem } from '@taproom/http'
import type { Gate } from './client-limits.ts'

/** What scripts of other origins may do (the CORS protocol of the Fetch Standard). */
export interface CorsOptions {
  /** As browsers send them, such as `https://shop.example`; `*` is all. */
  readonly origins: readonly string[]
  /** Empty: whichever is asked for. */
  readonly methods: readonly string[]
  /** Request headers besides those that need no permission. Empty: whichever are asked for. */
  readonly headers: readonly string[]
  /** Headers of answers that scripts may read. */
  readonly exposedHeaders: readonly string[]
  /** How long a browser may remember a preflight; undefined leaves that to the browser. */
  readonly maxAgeSeconds: number | undefined
  /** Whether cookies and the like may be sent; not with `*`. */
  readonly hasCredentials: boolean
}

const METHOD = /^[A-Za-z-]{1,40}$/
/** Names of headers, as many as a page can need. */
const HEADERS = /^[\w!#$%&'*+.^`|~, -]{1,2000}$/
const ASKED = 'Access-Control-Request-Method'

/**
 * Headers of every answer, whether its request names an origin or not: a cache may give it to a script of another one (Fetch Standard, CORS
 * protocol and HTTP caches).
 */
export function corsHeaders(cors: CorsOptions): Readonly<Record<string, string>> {
  return isForAll(cors) ? { 'Access-Control-Allow-Origin': '*', ...exposed(cors) } : { Vary: 'Origin' }
}

/** Permits one of several origins to read the answer, whichever it is; lets every request pass. */
export function corsPermission(cors: CorsOptions): Gate {
  const permission = Object.entries({
    ...(cors.hasCredentials && { 'Access-Control-Allow-Credentials': 'true' }),
    ...exposed(cors),
  })
  return (req, res) => {
    const { origin } = req.headers
    if (origin === undefined || isForAll(cors) || !isAllowed(cors, origin)) return false
    res.setHeader('Access-Control-Allow-Origin', origin)
    for (const [name, value] of permission) res.setHeader(name, value)
    return false
  }
}

/** Answers preflights: 204 with what is allowed, 403 for an origin that is not. Comes after {@link corsPermission}. */
export function corsPreflight(cors: CorsOptions, onRefused: (req: IncomingMessage) => void): Gate {
  return (req, res) => {
    if (!isPreflight(req)) return false
    if (isAllowed(cors, req.headers.origin)) permit(cors, req, res)
    else {
      onRefused(req)
      sendProblem(res, { status: 403, detail: 'the origin of the request is not allowed here' })
    }
    return true
  }
}

function permit({ methods, headers, maxAgeSeconds }: CorsOptions, req: IncomingMessage, res: ServerResponse): void {
  const askedMethod = textOf(req.headers['access-control-request-method'], METHOD)
  const askedHeaders = textOf(req.headers['access-control-request-headers'], HEADERS)
  const allowedMethods = methods.length > 0 ? methods.join(', ') : askedMethod
  const allowedHeaders = headers.length > 0 ? headers.join(', ') : askedHeaders
  if (allowedMethods !== '') res.setHeader('Access-Control-Allow-Methods', allowedMethods)
  if (allowedHeaders !== '') res.setHeader('Access-Control-Allow-Headers', allowedHeaders)
  if (maxAgeSeconds !== undefined) res.setHeader('Access-Control-Max-Age', maxAgeSeconds)
  res.appendHeader('Vary', `${ASKED}, Access-Control-Request-Headers`)
  res.writeHead(204).end()
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

function isForAll({ origins }: CorsOptions): boolean {
  return origins.includes('*')
}

function isAllowed(cors: CorsOptions, origin: string | undefined): boolean {
  return isForAll(cors) || (origin !== undefined && cors.origins.includes(origin))
}

function exposed({ exposedHeaders }: CorsOptions): Readonly<Record<string, string>> {
  return exposedHeaders.length > 0 ? { 'Access-Control-Expose-Headers': exposedHeaders.join(', ') } : {}
}

/** Repeated in an answer only if it is what it has to be. */
function textOf(text: string | string[] | undefined, pattern: RegExp): string {
  return typeof text === 'string' && pattern.test(text) ? text : ''
}
