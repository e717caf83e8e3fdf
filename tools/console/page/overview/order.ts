import type { LayerEdge, Slot } from './layers.ts'

const SWEEPS = 12

/** Orders the slots of each layer by where their neighbours are, to and fro, and keeps the order with the fewest crossings. */
export function orderLayers(slots: readonly (readonly Slot[])[], links: readonly LayerEdge[]): Slot[][] {
  const before = Map.groupBy(links, (link) => link.to)
  const after = Map.groupBy(links, (link) => link.from)
  let rows = slots.map((row) => [...row])
  let best = rows
  let fewest = crossings(rows, links)
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const isForward = sweep % 2 === 0
    const indexes = isForward ? rows.keys() : [...rows.keys()].toReversed()
    rows = rows.map((row) => [...row])
    for (const index of indexes) {
      const positions = positionsOf(rows[index + (isForward ? -1 : 1)] ?? [])
      const row = rows[index] ?? []
      const own = positionsOf(row)
      const wish = (slot: Slot): number => {
        const near = isForward
          ? (before.get(slot.id) ?? []).map((link) => positions.get(link.from))
          : (after.get(slot.id) ?? []).map((link) => positions.get(link.to))
        const found = near.filter((position) => position !== undefined)
        return found.length === 0 ? (own.get(slot.id) ?? 0) : found.reduce((sum, one) => sum + one, 0) / found.length
      }
      rows[index] = row.toSorted((a, b) => wish(a) - wish(b))
    }
    const now = crossings(rows, links)
    if (now < fewest) {
      fewest = now
      best = rows
    }
  }
  return best
}

function positionsOf(row: readonly Slot[]): Map<string, number> {
  return new Map(row.map((slot, index) => [slot.id, index]))
}

/** How often links between neighbouring layers cross. */
export function crossings(rows: readonly (readonly Slot[])[], links: readonly LayerEdge[]): number {
  let count = 0
  for (const [index, row] of rows.slice(0, -1).entries()) {
    const left = positionsOf(row)
    const right = positionsOf(rows[index + 1] ?? [])
    const lines = links.flatMap((link) => {
      const from = left.get(link.from)
      const to = right.get(link.to)
      return from === undefined || to === undefined ? [] : [{ from, to }]
    })
    for (const [at, a] of lines.entries())
      for (const b of lines.slice(at + 1)) if ((a.from - b.from) * (a.to - b.to) < 0) count += 1
  }
  return count
}
