import type { SpanView, TraceSummary } from '../api/traces.ts'
import { alignClocks, parentIn } from './align-clocks.ts'
import type { StoredTrace } from './trace-store.ts'

/** Services named of one trace. */
const MAX_SERVICES = 20

const known = new WeakMap<StoredTrace, { readonly version: number; readonly summary: TraceSummary }>()

/** The summary of a trace in lists; computed again only after a change. */
export function summaryOf(trace: StoredTrace): TraceSummary {
  const last = known.get(trace)
  if (last?.version === trace.version) return last.summary
  const summary = summarize(trace)
  known.set(trace, { version: trace.version, summary })
  return summary
}

function summarize({ traceId, spans, rejected }: StoredTrace): TraceSummary {
  const aligned = alignClocks(spans)
  const first = firstOf(aligned, spans)
  const services = new Set<string>()
  let startedAt = Number.POSITIVE_INFINITY
  let end = 0
  let errors = 0
  for (const span of aligned) {
    if (services.size < MAX_SERVICES) services.add(span.service)
    startedAt = Math.min(startedAt, span.startedAt)
    end = Math.max(end, span.startedAt + span.durationMs)
    if (span.status === 'error') errors += 1
  }
  return {
    traceId,
    name: first?.name ?? '',
    service: first?.service ?? '',
    services: [...services],
    startedAt: Number.isFinite(startedAt) ? startedAt : 0,
    durationMs: Number.isFinite(startedAt) ? Math.round((end - startedAt) * 1000) / 1000 : 0,
    spans: spans.size,
    errors,
    ...(rejected > 0 && { rejected }),
  }
}

/** The first span without a parent, else the first whose parent is not here, else the first. */
function firstOf(aligned: readonly SpanView[], spans: ReadonlyMap<string, SpanView>): SpanView | undefined {
  return (
    aligned.find(({ parentSpanId }) => parentSpanId === undefined) ??
    aligned.find((span) => parentIn(spans, span) === undefined) ??
    aligned[0]
  )
}
