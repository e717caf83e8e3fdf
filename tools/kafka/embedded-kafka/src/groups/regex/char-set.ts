/** Names of topics are ASCII: other characters of an expression match nothing. */
const CODES = 128

export type CharSet = ReadonlySet<number>

function range(first: number, last: number): readonly number[] {
  const length = Math.max(0, Math.min(last, CODES - 1) - first + 1)
  return Array.from({ length }, (_, index) => first + index)
}

export function charRange(first: string, last: string): CharSet {
  return new Set(range(first.charCodeAt(0), last.charCodeAt(0)))
}

export function inverse(set: CharSet): CharSet {
  return new Set(range(0, CODES - 1).filter((code) => !set.has(code)))
}

export function joined(sets: readonly CharSet[]): CharSet {
  return new Set(sets.flatMap((set) => [...set]))
}

/** With each letter in the other case, too. */
export function anyCase(set: CharSet): CharSet {
  const both = [...set].flatMap((code) => {
    const char = String.fromCharCode(code)
    return [char.toLowerCase().charCodeAt(0), char.toUpperCase().charCodeAt(0)]
  })
  return new Set(both)
}

const DIGITS = charRange('0', '9')
const WORDS = joined([DIGITS, charRange('a', 'z'), charRange('A', 'Z'), charRange('_', '_')])
const SPACES = joined([...'\t\n\f\r '].map((char) => charRange(char, char)))

export const ANY: CharSet = inverse(charRange('\n', '\n'))

/** What follows a backslash. */
export const CLASSES: ReadonlyMap<string, CharSet> = new Map([
  ['d', DIGITS],
  ['D', inverse(DIGITS)],
  ['w', WORDS],
  ['W', inverse(WORDS)],
  ['s', SPACES],
  ['S', inverse(SPACES)],
])
