import type { Contender } from './area.ts'

/** A budget as a contender, for what has no peer: a size or a time that ours must not be over, as a rate of one in so much. */
export function limit(name: string, most: number): Contender {
  return { name, measure: () => Promise.resolve(1 / most) }
}
