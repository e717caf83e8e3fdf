import type { SpanView } from '../../src/api/traces.ts'

export interface SpanRow {
  readonly span: SpanView
  readonly depth: number
}

/** Spans in the order of a waterfall: each below its parent, by start. A span whose parent is not known is a root. */
export function waterfall(spans: readonly SpanView[]): readonly SpanRow[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const parentOf = ({ spanId, parentSpanId }: SpanView) =>
    parentSpanId !== undefined && parentSpanId !== spanId && ids.has(parentSpanId) ? parentSpanId : ''
  const children = Map.groupBy(
    spans.toSorted((a, b) => a.startedAt - b.startedAt),
    parentOf,
  )
  const rows: SpanRow[] = []
  const seen = new Set<SpanView>()
  const open = (children.get('') ?? []).toReversed().map((span) => ({ span, depth: 0 }))
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    if (seen.has(row.span)) continue
    seen.add(row.span)
    rows.push(row)
    const { depth } = row
    open.push(...(children.get(row.span.spanId) ?? []).toReversed().map((span) => ({ span, depth: depth + 1 })))
  }
  // Parents that are each other's children.
  return [...rows, ...spans.filter((span) => !seen.has(span)).map((span) => ({ span, depth: 0 }))]
}

export interface Extent {
  readonly from: number
  readonly ms: number
}

export function extentOf(spans: readonly SpanView[]): Extent {
  const from = Math.min(...spans.map(({ startedAt }) => startedAt))
  const to = Math.max(...spans.map(({ startedAt, durationMs }) => startedAt + durationMs))
  return { from, ms: Math.max(0.001, to - from) }
}
