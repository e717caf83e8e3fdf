import { type Extent, endOf, type SpanRow } from './span-tree.ts'

/** A difference of times that are the same: numbers of milliseconds since 1970 have no more digits. */
const SAME_MS = 0.001

/**
 * The critical path of a trace: by span id, the stretches in which nothing but this span's own work kept the trace from its end. From
 * the end backwards, a span waits for the child that ended last, before this child began for the one that ended last before, and so on.
 */
export function criticalPath(rows: readonly SpanRow[]): ReadonlyMap<string, readonly Extent[]> {
  const ends = endsOf(rows)
  const endOfAll = (row: SpanRow) => ends.get(row) ?? 0
  const children = Map.groupBy(rows, ({ parent }) => parent)
  const path = new Map<string, Extent[]>()
  const add = ({ span }: SpanRow, from: number, until: number) => {
    const ms = Math.min(until, endOf(span)) - from
    if (ms > SAME_MS) path.set(span.spanId, [...(path.get(span.spanId) ?? []), { from, ms }])
  }
  const last = Math.max(...rows.map(endOfAll))
  const open: { readonly row: SpanRow | undefined; readonly until: number }[] = [{ row: undefined, until: last }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { row, until } = next
    let at = until
    for (const child of (children.get(row) ?? []).toSorted((a, b) => endOfAll(b) - endOfAll(a))) {
      const end = endOfAll(child)
      if (end > at + SAME_MS) continue
      if (row !== undefined) add(row, end, at)
      open.push({ row: child, until: end })
      at = child.span.startedAt
    }
    if (row !== undefined) add(row, row.span.startedAt, at)
  }
  return path
}

/** When each row and all below it had ended: a consumer ends after its producer. */
function endsOf(rows: readonly SpanRow[]): ReadonlyMap<SpanRow, number> {
  const ends = new Map(rows.map((row) => [row, endOf(row.span)]))
  for (const row of rows.toReversed()) {
    const { parent } = row
    if (parent !== undefined) ends.set(parent, Math.max(ends.get(parent) ?? 0, ends.get(row) ?? 0))
  }
  return ends
}
