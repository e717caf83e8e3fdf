import type { LayerEdge, Slot } from './layers.ts'

const ROUNDS = 16
const NODE_SPACE = 66
const BEND_SPACE = 26
const TOP = 37

/** Heights: each slot as near to its neighbours as the order of its layer and the space between slots let it be. */
export function settle(rows: readonly (readonly Slot[])[], links: readonly LayerEdge[]): ReadonlyMap<string, number> {
  const near = new Map<string, string[]>()
  for (const { from, to } of links) {
    near.set(from, [...(near.get(from) ?? []), to])
    near.set(to, [...(near.get(to) ?? []), from])
  }
  const heights = new Map<string, number>()
  for (const row of rows) for (const [index, slot] of row.entries()) heights.set(slot.id, index * NODE_SPACE)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      const wishes = row.map((slot) => {
        const others = (near.get(slot.id) ?? []).map((id) => heights.get(id) ?? 0)
        return others.length === 0
          ? (heights.get(slot.id) ?? 0)
          : others.reduce((sum, height) => sum + height, 0) / others.length
      })
      for (const [index, height] of spread(row, wishes).entries()) {
        const slot = row[index]
        if (slot !== undefined) heights.set(slot.id, height)
      }
    }
  }
  const highest = Math.min(...heights.values())
  return new Map([...heights].map(([id, height]) => [id, height - highest + TOP]))
}

/** The heights nearest to what is wished that keep the order and the space (pool adjacent violators). */
function spread(row: readonly Slot[], wishes: readonly number[]): number[] {
  const offsets: number[] = []
  for (const [index, slot] of row.entries()) {
    const above = row[index - 1]
    const space =
      above === undefined ? 0 : slot.isNode && above.isNode ? NODE_SPACE : slot.isNode || above.isNode ? 46 : BEND_SPACE
    offsets.push((offsets[index - 1] ?? 0) + space)
  }
  const pools: { sum: number; size: number }[] = []
  for (const [index, wish] of wishes.entries()) {
    let pool = { sum: wish - (offsets[index] ?? 0), size: 1 }
    for (
      let last = pools.at(-1);
      last !== undefined && last.sum / last.size > pool.sum / pool.size;
      last = pools.at(-1)
    ) {
      pools.pop()
      pool = { sum: pool.sum + last.sum, size: pool.size + last.size }
    }
    pools.push(pool)
  }
  const starts = pools.flatMap(({ sum, size }) => Array.from({ length: size }, () => sum / size))
  return starts.map((start, index) => start + (offsets[index] ?? 0))
}
