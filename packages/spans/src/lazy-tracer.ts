import type { Attributes, Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'

/** A tracer that decides before it needs a span's attributes, which OpenTelemetry's API cannot express. */
export interface LazyTracer extends Tracer {
  /** As `startSpan`; the attributes are computed when it is known that the span is recorded. */
  startLazily(name: string, options: SpanOptions, attributes: () => Attributes, context: Context): Span
}

export function isLazy(tracer: Tracer): tracer is LazyTracer {
  return 'startLazily' in tracer
}
