import { methodNotAllowed } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import { type Response, Router } from 'express'
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
    .get((req, res, next) => {
      whenItsTurn(res, () => {
        if (hub.hasRoom) hub.subscribe(openSseConnection(res), req.get('last-event-id'))
        else next(noRoom())
      })
    })
    .all(methodNotAllowed('GET', 'HEAD'))
  return router
}

/**
 * Waits for earlier answers on a pipelined connection, so each connection has one stream at most. Node emits `close` only on the current
 * answer: a stream started earlier would never end.
 */
function whenItsTurn(res: Response, start: () => void): void {
  if (res.socket === null) res.once('socket', start)
  else start()
}

function noRoom(): HttpProblem {
  return new HttpProblem(503, { detail: 'no further streams are opened now', headers: { 'Retry-After': '5' } })
}
