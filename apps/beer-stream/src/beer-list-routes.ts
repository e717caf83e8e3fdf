import { once } from 'node:events'
import {
  type BeerClient,
  BeerServiceOverloadedError,
  BeerServiceTimeoutError,
  BeerServiceUnreachableError,
} from '@taproom/beer'
import { methodNotAllowed } from '@taproom/http'
import { HttpProblem, type Logger } from '@taproom/service'
import { type Response, Router } from 'express'
import { type BeerListFormat, beerListFormat } from './beer-list-format.ts'
import { strongBeers } from './strong-beers.ts'

/** A client that reads nothing for this long is dropped. */
const STALL_TIMEOUT_MS = 30_000

export interface BeerListDeps {
  readonly client: BeerClient
  readonly log: Pick<Logger, 'warn'>
  /** A list with more pages is broken off. Default 1000. */
  readonly maxPages?: number
}

/** `GET /beer/all`: the beers above 15 per cent. */
export function beerListRoutes(deps: BeerListDeps): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/beer/all')
    .head((req, res) => {
      begin(res, beerListFormat(req))
      res.end()
    })
    .get((req, res) => sendList(deps, res, beerListFormat(req)))
    .all(methodNotAllowed('GET', 'HEAD'))
  return router
}

async function sendList(deps: BeerListDeps, res: Response, format: BeerListFormat): Promise<void> {
  const { client, log, maxPages = 1000 } = deps
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  try {
    for await (const beers of strongBeers({ client, maxPages, signal: gone.signal })) {
      const isFirst = !res.headersSent
      if (isFirst) begin(res, format)
      if (!res.write(format.page(beers, isFirst))) await drained(res, gone.signal)
    }
    const isEmpty = !res.headersSent
    if (isEmpty) begin(res, format)
    res.end(format.end(isEmpty))
  } catch (error) {
    if (gone.signal.aborted) return
    if (!res.headersSent) throw toProblem(error)
    log.warn({ err: error }, 'beer list broken off')
    breakOff(res)
  }
}

function begin(res: Response, format: BeerListFormat): void {
  res.vary('accept').writeHead(200, { 'Content-Type': format.contentType })
}

async function drained(res: Response, gone: AbortSignal): Promise<void> {
  const stalled = AbortSignal.timeout(STALL_TIMEOUT_MS)
  await once(res, 'drain', { signal: AbortSignal.any([gone, stalled]) })
}

/** A reset shows even a client that reads to the end that the list is incomplete. */
function breakOff(res: Response): void {
  if (res.socket === null) res.destroy()
  else res.socket.resetAndDestroy()
}

function toProblem(cause: unknown): HttpProblem {
  if (cause instanceof BeerServiceTimeoutError) {
    return new HttpProblem(504, { detail: 'the beer service did not answer in time', cause })
  }
  if (cause instanceof BeerServiceOverloadedError) {
    const { retryAfterSeconds } = cause
    const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
    return new HttpProblem(503, { detail: 'the beer service is overloaded', headers, cause })
  }
  const isUnreachable = cause instanceof BeerServiceUnreachableError
  const detail = isUnreachable ? 'cannot be reached' : 'gave no usable list of beers'
  return new HttpProblem(502, { detail: `the beer service ${detail}`, cause })
}
