import { createHash, timingSafeEqual } from 'node:crypto'
import { createWebGuard, pathOf, type RequestHandler } from '@taproom/http'
import { HttpProblem } from '@taproom/service'

/** Programs send spans there, which know no secret. */
const WITHOUT_SECRET: readonly string[] = ['/v1/traces']

/**
 * Refuses, before anything else is looked at, what web pages of others send, and, without the session's secret as bearer token, everything
 * but reading the page's own files (401): other users of this machine reach this port, too.
 */
export function guard(secret: string): RequestHandler {
  const expected = digest(`Bearer ${secret}`)
  const pages = createWebGuard({ addresses: 'own', needsPort: true })
  return (request, _response, next) => {
    const { method = '', headers } = request
    const refusal = pages.refusal(request)
    if (refusal !== undefined) {
      request.resume()
      throw new HttpProblem(refusal.status, refusal)
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
