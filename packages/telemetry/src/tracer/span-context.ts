import { type SpanContext, TraceFlags } from '@opentelemetry/api'

interface Named {
  readonly traceId: string
  readonly spanId: string
  readonly parent: SpanContext | undefined
}

/** The ids of a recorded span that continues its parent's, with the parent's `tracestate`. */
export function contextOf({ traceId, spanId, parent }: Named): SpanContext {
  const ids = { traceId, spanId, traceFlags: TraceFlags.SAMPLED }
  return parent?.traceState === undefined ? ids : { ...ids, traceState: parent.traceState }
}
