/** One of `GET /api/traces` */
export interface TraceSummary {
  readonly traceId: string
  /** Name and service of its first span. */
  readonly name: string
  readonly service: string
  readonly services: readonly string[]
  readonly startedAt: number
  readonly durationMs: number
  readonly spans: number
  readonly errors: number
  /** Spans that were not kept, because the trace has as many as are kept of one. */
  readonly rejected?: number
}

/** One of `GET /api/traces?group=name`: traces whose first spans have one name and service. */
export interface TraceGroup {
  readonly name: string
  readonly service: string
  readonly traces: number
  /** Traces with an error. */
  readonly failed: number
  /** Half of the traces took this long at most. */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly maxMs: number
  /** The trace that took `maxMs`. */
  readonly slowest: string
  /** When the newest trace began. */
  readonly lastAt: number
}

export type AttributeValue =
  | string
  | number
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [name: string]: AttributeValue }

export type Attributes = Readonly<Record<string, AttributeValue>>

/** One of `GET /api/traces/{traceId}` */
export interface SpanView {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly service: string
  readonly startedAt: number
  /** Milliseconds added to its times, because its sender's clock and that of its parent differ. */
  readonly clockShiftMs?: number
  readonly durationMs: number
  readonly status: 'unset' | 'ok' | 'error'
  readonly statusMessage?: string
  readonly attributes: Attributes
  /** The number of attributes left out by the sender or by the console's limits; absent for 0, as in all `dropped…` members. */
  readonly droppedAttributes?: number
  readonly resource: Attributes
  readonly droppedResourceAttributes?: number
  readonly scope: string
  readonly events: readonly SpanEvent[]
  readonly droppedEvents?: number
  readonly links: readonly SpanLink[]
  readonly droppedLinks?: number
}

export interface SpanEvent {
  readonly name: string
  readonly time: number
  readonly attributes: Attributes
  readonly droppedAttributes?: number
}

export interface SpanLink {
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Attributes
  readonly droppedAttributes?: number
}

/** One of `GET /api/metrics`: a curve of the last hour. */
export interface Series {
  /** Prometheus' name, with `_rate`, `_p50`, `_p95` or `_p99` where it was computed. */
  readonly name: string
  readonly service: string
  readonly labels: Readonly<Record<string, string>>
  readonly unit: 'per second' | 'ms' | 'bytes' | 'count' | 'ratio'
  /** Times and values, of one length; a value is null where nothing was read. */
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
}
