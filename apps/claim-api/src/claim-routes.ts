import { methodNotAllowed } from '@taproom/http'
import { callerOf, requireRole, requireScope } from '@taproom/jwt'
import { type RequestHandler, Router } from 'express'
import type { Config } from './config.ts'

/** `GET /secure/claim`: the caller's `preferred_username`, for callers in the group `Subscriber` with all configured scopes. */
export function claimRoutes(authenticated: RequestHandler, { jwt }: Pick<Config, 'jwt'>): Router {
  const [scope, ...scopes] = jwt.scopes
  const required = [requireRole('Subscriber'), ...(scope === undefined ? [] : [requireScope(scope, ...scopes)])]
  const router = Router({ caseSensitive: true })
  router
    .route('/secure/claim')
    .get(authenticated, ...required, answer)
    .all(methodNotAllowed('GET', 'HEAD'))
  return router
}

const answer: RequestHandler = (req, res) => {
  const username = callerOf(req)?.claims.preferred_username
  if (username === undefined) {
    res.writeHead(204, { 'Cache-Control': 'no-store' }).end()
    return
  }
  res.writeHead(200, {
    'Cache-Control': 'no-store',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(username),
    // Users may choose their names: browsers must not guess another type than text.
    'X-Content-Type-Options': 'nosniff',
  })
  res.end(username)
}
