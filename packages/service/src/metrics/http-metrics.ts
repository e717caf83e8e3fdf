import type { ServerResponse } from 'node:http'
import type { TraceIds } from '@taproom/core/spans'
import { monotonicMs } from '@taproom/core/time'
import { type InTrace, type RequestHandler, type RoutedRequest, spanOf } from '@taproom/http'
import { REQUEST_METHODS } from '../requests/server-span.ts'
import type { MetricTags } from './metric-registry.ts'

/** Most route paths with series of their own; an app has a few. */
const MAX_URIS = 100

const OUTCOMES = ['UNKNOWN', 'INFORMATIONAL', 'SUCCESS', 'REDIRECTION', 'CLIENT_ERROR', 'SERVER_ERROR'] as const

/**
 * Measures each request with Micrometer's tags: method (`OTHER` for rare ones), uri (the route's pattern, never the caller's path), status
 * and outcome. One that has waited for its turn is measured from when it came: it is given twice, and measured once.
 */
export function measureRequests(
  observe: (tags: MetricTags, seconds: number, trace: TraceIds | undefined) => void,
): RequestHandler {
  // An app within another has metrics of its own, which measure the same requests.
  const measured = Symbol('measured')
  const uris = new Set<string>()

  function known(uri: string): string {
    if (uris.size < MAX_URIS) uris.add(uri)
    return uris.has(uri) ? uri : 'UNKNOWN'
  }

  return (req, res: ServerResponse & { [measured]?: true }, next) => {
    if (res[measured]) return next()
    res[measured] = true
    const startedAt = monotonicMs()
    res.on('close', () => {
      // A caller that left before the answer began is 499, as nginx has it.
      const status = res.headersSent ? res.statusCode : 499
      const method = req.method !== undefined && REQUEST_METHODS.has(req.method) ? req.method : 'OTHER'
      const tags = tagsOf(method, known(uriOf(req, status)), status)
      observe(tags, (monotonicMs() - startedAt) / 1000, exportedTrace(spanOf(res)))
    })
    next()
  }
}

function uriOf(req: RoutedRequest, status: number): string {
  const path = req.route?.path
  // Where a router is mounted is a part of the caller's path, whose pattern nobody knows any more.
  if (typeof path === 'string' && !req.baseUrl) return path
  if (status === 404) return 'NOT_FOUND'
  return status >= 300 && status < 400 ? 'REDIRECTION' : 'UNKNOWN'
}

function tagsOf(method: string, uri: string, status: number) {
  return { method, uri, status: String(status), outcome: OUTCOMES[Math.floor(status / 100)] ?? 'UNKNOWN' }
}

const SAMPLED = 1

/** The ids of a span that will be found where traces are exported to; undefined for one that was not sampled. */
export function exportedTrace(span: InTrace | undefined): TraceIds | undefined {
  const ids = span?.spanContext()
  if (ids === undefined || (ids.traceFlags & SAMPLED) === 0) return undefined
  return { trace_id: ids.traceId, span_id: ids.spanId }
}
