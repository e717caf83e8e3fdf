import type { TraceIds } from '@taproom/core/spans'
import type { InTrace } from '@taproom/http'

const SAMPLED = 1

/** The ids of a span that will be found where traces are exported to; undefined for one that was not sampled. */
export function exportedTrace(span: InTrace | undefined): TraceIds | undefined {
  const ids = span?.spanContext()
  return ids !== undefined && (ids.traceFlags & SAMPLED) !== 0
    ? { trace_id: ids.traceId, span_id: ids.spanId }
    : undefined
}
