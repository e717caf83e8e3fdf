import { createHash, timingSafeEqual } from 'node:crypto'
import { createWebGuard, pathOf, type RequestHandler } from '@taproom/http'
import { HttpProblem } from '@taproom/service'

/** Programs send spans there, which know no secret. */
const WITHOUT_SECRET: readonly string[] = ['/v1/traces']

/**
 * Runs before all routes. Refuses requests of foreign web pages. Without the session's secret as bearer token, only the files of the page can
 * be read (else 401), because other users of this machine reach this port.
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

/** Digests have one length, as `timingSafeEqual` needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
