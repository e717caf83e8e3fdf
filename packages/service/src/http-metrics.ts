import type { Request, RequestHandler, Response } from 'express'
import type { MetricFamily, MetricSeries } from './metric-family.ts'

/** Distinct paths of routes that are told apart; an app has a few. */
const MAX_URIS = 100

const OUTCOMES = ['UNKNOWN', 'INFORMATIONAL', 'SUCCESS', 'REDIRECTION', 'CLIENT_ERROR', 'SERVER_ERROR'] as const

/** Measures each request under Micrometer's tags: method, uri (the route's pattern, never the caller's path), status and outcome. */
export function measureRequests(requests: MetricFamily): RequestHandler {
  const known = new Map<string, MetricSeries>()
  const uris = new Set<string>()

  function record(req: Request, res: Response, startedAt: number): void {
    const status = statusOf(res)
    const uri = uriOf(req, status)
    const key = `${req.method} ${status} ${uri}`
    let series = known.get(key)
    if (series === undefined) {
      if (uris.size < MAX_URIS) uris.add(uri)
      series = requests.series(tagsOf(req.method, uris.has(uri) ? uri : 'UNKNOWN', status))
      if (uris.has(uri)) known.set(key, series)
    }
    series.observe((performance.now() - startedAt) / 1000)
  }

  return (req, res, next) => {
    const startedAt = performance.now()
    res.once('close', () => record(req, res, startedAt))
    next()
  }
}

/** A caller that left before the answer began is 499, as nginx has it. */
function statusOf(res: Response): number {
  return res.headersSent ? res.statusCode : 499
}

function uriOf(req: Request, status: number): string {
  const path: unknown = req.route?.path
  if (typeof path === 'string') return req.baseUrl + path
  if (status === 404) return 'NOT_FOUND'
  return status >= 300 && status < 400 ? 'REDIRECTION' : 'UNKNOWN'
}

function tagsOf(method: string, uri: string, status: number) {
  return { method, uri, status: String(status), outcome: OUTCOMES[Math.floor(status / 100)] ?? 'UNKNOWN' }
}
