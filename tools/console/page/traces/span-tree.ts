import type { SpanView } from '../../src/api/traces.ts'

export interface SpanRow {
  readonly span: SpanView
  readonly depth: number
  readonly parent: SpanRow | undefined
  /** How many spans are below it. */
  readonly below: number
}

type OwnRow = { -readonly [K in keyof SpanRow]: K extends 'parent' ? OwnRow | undefined : SpanRow[K] }

/** Spans in the order of a waterfall: each below its parent, by start. A span whose parent is not known is a root. */
export function waterfall(spans: readonly SpanView[]): readonly SpanRow[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const parentOf = ({ spanId, parentSpanId }: SpanView) =>
    parentSpanId !== undefined && parentSpanId !== spanId && ids.has(parentSpanId) ? parentSpanId : ''
  const children = Map.groupBy(
    spans.toSorted((a, b) => a.startedAt - b.startedAt),
    parentOf,
  )
  const rowsBelow = (id: string, parent: OwnRow | undefined): OwnRow[] =>
    (children.get(id) ?? [])
      .map((span) => ({ span, parent, depth: parent === undefined ? 0 : parent.depth + 1, below: 0 }))
      .toReversed()
  const rows: OwnRow[] = []
  const seen = new Set<SpanView>()
  const open = rowsBelow('', undefined)
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    if (seen.has(row.span)) continue
    seen.add(row.span)
    rows.push(row)
    open.push(...rowsBelow(row.span.spanId, row))
  }
  for (const { parent, below } of rows.toReversed()) if (parent !== undefined) parent.below += below + 1
  // Parents that are each other's children.
  const others = spans.filter((span) => !seen.has(span))
  return [...rows, ...others.map((span) => ({ span, depth: 0, parent: undefined, below: 0 }))]
}

/** The rows without those below a folded one. */
export function unfolded(rows: readonly SpanRow[], folded: ReadonlySet<string>): readonly SpanRow[] {
  let deepest = Number.POSITIVE_INFINITY
  return rows.filter(({ span, depth }) => {
    if (depth > deepest) return false
    deepest = folded.has(span.spanId) ? depth : Number.POSITIVE_INFINITY
    return true
  })
}

/** A time, in milliseconds since 1970, and how long from then on. */
export interface Extent {
  readonly from: number
  readonly ms: number
}

export function extentOf(spans: readonly SpanView[]): Extent {
  const from = Math.min(...spans.map(({ startedAt }) => startedAt))
  const to = Math.max(...spans.map(endOf))
  return { from, ms: Math.max(0.001, to - from) }
}

export function endOf({ startedAt, durationMs }: SpanView): number {
  return startedAt + durationMs
}
