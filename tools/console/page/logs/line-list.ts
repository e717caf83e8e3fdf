import type { LogLine } from '../../src/api/services.ts'

/** Limits of the list: lines, and characters of all lines; the oldest are dropped first. */
export const MOST_LINES = 100_000
const MOST_CHARACTERS = 48 * 1024 * 1024

/** Lines that were there with newer ones, each once, the newest last. */
export function addLines(before: readonly LogLine[], more: readonly LogLine[]): readonly LogLine[] {
  const last = before.at(-1)?.id ?? -1
  const fresh = more.filter(({ id }) => id > last)
  if (fresh.length === 0) return before
  return joinLines(before, fresh)
}

/** Characters of lists, so that those of a long one are counted once. */
const counted = new WeakMap<readonly LogLine[], number>()

/** Older lines with newer ones: the newest of them that the list holds. */
export function joinLines(older: readonly LogLine[], newer: readonly LogLine[]): readonly LogLine[] {
  const all = [...older, ...newer]
  let characters = charactersOf(older) + charactersOf(newer)
  let gone = 0
  while (all.length - gone > MOST_LINES || (characters > MOST_CHARACTERS && all.length - gone > 1)) {
    characters -= JSON.stringify(all[gone]).length
    gone += 1
  }
  const kept = all.slice(gone)
  counted.set(kept, characters)
  return kept
}

function charactersOf(lines: readonly LogLine[]): number {
  return counted.get(lines) ?? lines.reduce((sum, line) => sum + JSON.stringify(line).length, 0)
}
