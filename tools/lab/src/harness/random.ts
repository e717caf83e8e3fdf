/** Random choices, repeatable by their seed. */
export interface Random {
  /** From 0 up to 1, without 1. */
  next(): number
  /** A whole number from 0 up to `limit`, without it. */
  below(limit: number): number
  /** True with this probability, from 0 to 1. */
  chance(probability: number): boolean
  /** @throws {RangeError} when there is nothing to pick */
  pick<T>(items: readonly T[]): T
}

/** sfc32, seeded by all parts together. Each input has a sequence of its own, so that it can be made without those before it. */
export function createRandom(...parts: readonly (string | number)[]): Random {
  let [a, b, c, counter] = [hash(parts, 1), hash(parts, 2), hash(parts, 3), 1]
  const word = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  // The first numbers still resemble the seed.
  for (let round = 0; round < 12; round += 1) word()
  const next = () => word() / 2 ** 32
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => {
      if (items.length === 0) throw new RangeError('there is nothing to pick')
      return items[below(items.length)] as T
    },
  }
}

/** FNV-1a. */
function hash(parts: readonly (string | number)[], salt: number): number {
  let value = 0x811c9dc5 ^ salt
  for (const character of parts.join('\n')) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value | 0
}
