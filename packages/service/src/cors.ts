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

/** Headers of every answer: caches must not give one origin's answer to another. */
export function corsVary({ origins }: CorsOptions): Readonly<Record<string, string>> {
  return origins.includes('*') ? {} : { Vary: 'Origin' }
}

/** Permits an origin that is allowed to read the answer, whichever it is; lets every request pass. */
export function corsPermission(cors: CorsOptions): Gate {
  const exposed = cors.exposedHeaders.join(', ')
  return (req, res) => {
    const { origin } = req.headers
    if (!isAllowed(cors, origin)) return false
    res.setHeader('Access-Control-Allow-Origin', cors.origins.includes('*') ? '*' : (origin ?? ''))
    if (cors.hasCredentials) res.setHeader('Access-Control-Allow-Credentials', 'true')
    if (exposed !== '' && !isPreflight(req)) res.setHeader('Access-Control-Expose-Headers', exposed)
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
  res.setHeader('Vary', `${ASKED}, Access-Control-Request-Headers`)
  res.writeHead(204).end()
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

function isAllowed({ origins }: CorsOptions, origin: string | undefined): boolean {
  return origin !== undefined && (origins.includes('*') || origins.includes(origin))
}

/** Repeated in an answer only if it is what it has to be. */
function textOf(text: string | string[] | undefined, pattern: RegExp): string {
  return typeof text === 'string' && pattern.test(text) ? text : ''
}
