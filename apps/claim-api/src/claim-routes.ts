import { callerOf, requireRole } from '@taproom/jwt'
import { methodNotAllowed } from '@taproom/service'
import { type RequestHandler, Router } from 'express'

/** `GET /secure/claim`: the caller's `preferred_username`, for callers in the group `Subscriber`. */
export function claimRoutes({ authenticated }: { readonly authenticated: RequestHandler }): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/secure/claim')
    .get(authenticated, requireRole('Subscriber'), (req, res) => {
      const username = callerOf(req)?.claims.preferred_username
      if (username === undefined) {
        res.writeHead(204).end()
        return
      }
      res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(username) })
      res.end(username)
    })
    .all(methodNotAllowed('GET', 'HEAD'))
  return router
}
