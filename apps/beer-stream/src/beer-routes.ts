import { HttpProblem, methodNotAllowed } from '@taproom/service'
import { Router } from 'express'
import type { BeerHub } from './beer-hub.ts'
import { openSseConnection } from './sse-connection.ts'

/** `GET /beer`: priced beers as server-sent events, resumed after `Last-Event-ID`. */
export function beerRoutes(hub: Pick<BeerHub, 'hasRoom' | 'subscribe'>): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/beer')
    .head((_req, res) => {
      openSseConnection(res).end()
    })
    .get((req, res) => {
      if (!hub.hasRoom) {
        throw new HttpProblem(503, { detail: 'no further streams are opened now', headers: { 'Retry-After': '5' } })
      }
      hub.subscribe(openSseConnection(res), req.get('last-event-id'))
    })
    .all(methodNotAllowed('GET', 'HEAD'))
  return router
}
