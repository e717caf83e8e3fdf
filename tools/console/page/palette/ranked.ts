/** One thing that the palette finds. */
export interface Find {
  /** Unique among all. */
  readonly id: string
  /** Names the kind: `service`, `topic`, `action`. */
  readonly kind: string
  readonly name: string
  readonly detail?: string | undefined
  /** An address to go to, or what is done. */
  readonly to: string | (() => unknown)
}

const WORD = /[^\p{L}\p{N}]+/u

/** The finds that have all words of a text, those whose names fit best first; without a text all, as they are. */
export function ranked(finds: readonly Find[], text: string): readonly Find[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return finds
  return finds
    .map((find) => ({ find, rank: rankOf(find, words) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ find }) => find)
}

/** Lower is better; undefined for a find that lacks a word. */
function rankOf({ kind, name, detail = '' }: Find, words: readonly string[]): number | undefined {
  const lower = name.toLowerCase()
  const all = `${lower} ${kind} ${detail}`.toLowerCase()
  if (!words.every((word) => all.includes(word))) return undefined
  const text = words.join(' ')
  if (lower === text) return 0
  if (lower.startsWith(text)) return 1
  const own = lower.split(WORD)
  if (words.every((word) => own.some((each) => each.startsWith(word)))) return 2
  return words.every((word) => lower.includes(word)) ? 3 : 4
}
