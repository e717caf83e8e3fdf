import type { ReadableSpan } from '@opentelemetry/sdk-trace'

/** The most that a span keeps; what is more is dropped and counted in it. */
export interface SpanLimits {
  readonly attributeCountLimit: number
  readonly attributeValueLengthLimit: number
  readonly eventCountLimit: number
  readonly linkCountLimit: number
  readonly attributePerEventCountLimit: number
  readonly attributePerLinkCountLimit: number
}

/** OpenTelemetry's defaults ("Span Limits"). */
export const SPAN_LIMITS: SpanLimits = {
  attributeCountLimit: 128,
  attributeValueLengthLimit: Number.POSITIVE_INFINITY,
  eventCountLimit: 128,
  linkCountLimit: 128,
  attributePerEventCountLimit: 128,
  attributePerLinkCountLimit: 128,
}

/** What the spans of a process have in common, and where they go when they have ended. */
export interface SpanSink {
  readonly resource: ReadableSpan['resource']
  readonly limits: SpanLimits
  ended(span: ReadableSpan): void
}
