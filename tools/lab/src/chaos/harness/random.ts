/** Random numbers, repeatable by their seed. */
export interface Random {
  /** From 0 up to 1, without 1. */
  next(): number
  /** One of the items, more often a heavier one; undefined when there is none. The default weight is 1. */
  pick<T extends { readonly weight?: number }>(items: readonly T[]): T | undefined
}

/** Mulberry32: good enough to choose victims, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    pick(items) {
      let left = next() * items.reduce((sum, { weight = 1 }) => sum + weight, 0)
      return items.find(({ weight = 1 }) => {
        left -= weight
        return left < 0
      })
    },
  }
}
