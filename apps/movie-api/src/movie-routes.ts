import { DatabaseUnavailableError } from '@taproom/database'
import { methodNotAllowed } from '@taproom/http'
import { BulkheadError, CircuitOpenError, RateLimitError, TimeoutError } from '@taproom/resilience'
import { HttpProblem } from '@taproom/service'
import { type Response, Router } from 'express'
import { FilmServiceError } from './film-service.ts'
import type { Movies } from './movies.ts'
import { parseYear } from './year.ts'

export function movieRoutes(movies: Movies): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/movie')
    .get(async (req, res) => {
      const year = parseYear(req.url)
      const caller = callerSignal(res)
      const found = await movies.find(year, caller).catch((error: unknown) => {
        throw toProblem(error)
      })
      // As text: Node sends it in one piece with the head, which costs half of sending two.
      const body = JSON.stringify(found)
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
      res.end(body)
    })
    .all(methodNotAllowed('GET', 'HEAD'))
  return router
}

/** Aborted when the caller leaves early: the remote calls are then useless. */
function callerSignal(res: Response): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}

function toProblem(cause: unknown): unknown {
  if (cause instanceof CircuitOpenError) {
    return unavailable('the film service is failing and is not asked for now', cause, cause.retryAfterMs)
  }
  if (cause instanceof RateLimitError) {
    return unavailable('the film service is not asked more often', cause, cause.retryAfterMs)
  }
  if (cause instanceof BulkheadError) return unavailable('too many calls of the film service are under way', cause)
  if (cause instanceof TimeoutError)
    return new HttpProblem(504, { detail: 'the film service did not answer in time', cause })
  if (cause instanceof FilmServiceError) {
    return new HttpProblem(502, { detail: 'the film service could not be reached or gave a bad answer', cause })
  }
  if (cause instanceof DatabaseUnavailableError) return unavailable('the film database is unavailable', cause)
  return cause
}

/** 503; `Retry-After` is at least one second. */
function unavailable(detail: string, cause: Error, retryAfterMs = 0): HttpProblem {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new HttpProblem(503, { detail, headers: { 'Retry-After': String(seconds) }, cause })
}
