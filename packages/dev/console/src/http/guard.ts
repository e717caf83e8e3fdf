import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { pathOf, type RequestHandler } from '@taproom/http'
import { HttpProblem } from '@taproom/service'

/** Programs send spans there, which know no secret. */
const WITHOUT_SECRET: readonly string[] = ['/v1/traces']
const NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Refuses, before anything else is looked at: a Host that is not this machine's own name with this port (421), because a web page can make
 * its own name lead here (DNS rebinding); requests that a page of another origin makes (403), but for links that are followed; and,
 * without the session's secret as bearer token, everything but reading the page's own files (401): other users of this machine reach this
 * port, too.
 */
export function guard(secret: string): RequestHandler {
  const expected = digest(`Bearer ${secret}`)
  return (request, _response, next) => {
    const { method = '', headers } = request
    const refusal = hostProblem(request) ?? originProblem(request)
    if (refusal !== undefined) {
      request.resume()
      throw refusal
    }
    const path = pathOf(request.url)
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead ? path.startsWith('/api/') : !WITHOUT_SECRET.includes(path)) {
      if (!timingSafeEqual(digest(headers.authorization ?? ''), expected)) {
        request.resume()
        throw new HttpProblem(401, {
          detail: 'expected `Authorization: Bearer` and the secret of the address that pnpm start prints',
          headers: { 'WWW-Authenticate': 'Bearer realm="console"' },
        })
      }
    }
    next()
  }
}

/** Of one length, so that comparing tells nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function hostProblem({ headers, socket }: IncomingMessage): HttpProblem | undefined {
  const hosts = NAMES.map((name) => `${name}:${socket.localPort}`)
  if (hosts.includes((headers.host ?? '').toLowerCase())) return undefined
  const detail = `this host is not served here: expected one of ${hosts.join(', ')}`
  return new HttpProblem(421, { detail, headers: { Connection: 'close' } })
}

/** Browsers say who asks; other programs do not, and need not. */
function originProblem({ headers, method }: IncomingMessage): HttpProblem | undefined {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined
  const isFollowedLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  if (isFollowedLink && method === 'GET') return undefined
  return new HttpProblem(403, { detail: 'pages of other origins get nothing here' })
}
