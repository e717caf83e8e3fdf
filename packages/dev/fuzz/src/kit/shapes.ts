/** A value of up to a mebibyte that is chosen to be as expensive for its reader as possible. */
export interface Shape<T> {
  readonly name: string
  readonly make: () => T
}

const MIB = 1024 * 1024
/** Room for the text around a shape, so that the whole fits into a mebibyte. */
const ROOM = 4096

/** Copies that fill most of a mebibyte, or as many as asked for. */
const filled = (piece: string, most = Number.POSITIVE_INFINITY) =>
  piece.repeat(Math.min(most, Math.floor((MIB - ROOM) / Buffer.byteLength(piece))))

const levels = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
const list = (length: number, item: (index: number) => string) =>
  Array.from({ length }, (_, index) => item(index)).join(',')

/** Keeps the last one: it is needed in many places one after the other, and all together would take too much memory. */
function remembered<T>(shapes: readonly Shape<T>[]): readonly Shape<T>[] {
  let last: { readonly name: string; readonly made: T } | undefined
  return shapes.map(({ name, make }) => ({
    name,
    make() {
      if (last?.name !== name) last = { name, made: make() }
      return last.made
    },
  }))
}

/** Texts of JSON values. */
export const JSON_SHAPES: readonly Shape<string>[] = remembered([
  { name: '6,000 levels of arrays', make: () => levels('[', ']', 6000) },
  { name: '100,000 levels of arrays', make: () => levels('[', ']', 100_000) },
  { name: '500,000 levels of arrays that do not end', make: () => '['.repeat(500_000) },
  { name: '6,000 levels of objects', make: () => `${'{"a":'.repeat(6000)}1${'}'.repeat(6000)}` },
  { name: '100,000 levels of objects', make: () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` },
  { name: '450 levels of arrays, side by side', make: () => `[${list(1000, () => levels('[', ']', 450))}]` },
  { name: '100,000 members', make: () => `{${list(100_000, (index) => `"${index.toString(36)}":0`)}}` },
  { name: '40,000 members', make: () => `{${list(40_000, (index) => `"member${index}":"${index}"`)}}` },
  { name: '60,000 members of one name', make: () => `{${list(60_000, () => '"__proto__":{}')}}` },
  { name: '500,000 numbers', make: () => `[${filled('0,', 500_000)}0]` },
  { name: '200,000 objects', make: () => `[${filled('{},', 200_000)}{}]` },
  { name: 'a number of 900,000 digits', make: () => '9'.repeat(900_000) },
  { name: 'a string of 170,000 escapes', make: () => `"${filled('\\u00e9', 170_000)}"` },
  { name: 'a string of 170,000 unpaired surrogates', make: () => `"${filled('\\ud800', 170_000)}"` },
  { name: 'a string of 500,000 backslashes', make: () => `"${filled('\\\\', 500_000)}"` },
  { name: 'a string of a mebibyte that does not end', make: () => `"${filled('a')}` },
  { name: 'a mebibyte of blanks', make: () => `${filled(' ')}1` },
])

/** Values of 900 KB, for one attribute, name, header or member. */
export const TEXT_SHAPES: readonly Shape<string>[] = remembered([
  { name: '900 KB of letters', make: () => 'a'.repeat(900_000) },
  { name: '900 KB to be percent-encoded', make: () => 'é'.repeat(450_000) },
  { name: '900 KB of spaces', make: () => ' '.repeat(900_000) },
  { name: '900 KB of percent signs', make: () => '%'.repeat(900_000) },
  { name: '900 KB of escapes', make: () => '%C3%A9'.repeat(150_000) },
  { name: '900 KB of quotes', make: () => '"'.repeat(900_000) },
  { name: '900 KB of commas', make: () => ','.repeat(900_000) },
  { name: '900 KB of slashes', make: () => '/'.repeat(900_000) },
  { name: '900 KB of line separators', make: () => '\u2028'.repeat(300_000) },
  { name: '900 KB of emoji', make: () => '😀'.repeat(225_000) },
])

/** Names and values of many attributes, members or headers. */
export const MEMBER_SHAPES: readonly Shape<readonly (readonly [name: string, value: string])[]>[] = [
  { name: '50,000 attributes', make: () => Array.from({ length: 50_000 }, (_, index) => [`x${index}`, '1'] as const) },
  {
    name: '5,000 attributes',
    make: () => Array.from({ length: 5000 }, (_, index) => [`x${index}`, 'é'.repeat(50)] as const),
  },
  {
    name: '250 attributes of 4 KB',
    make: () => Array.from({ length: 250 }, (_, index) => [`x${index}`, 'é'.repeat(2000)] as const),
  },
  { name: '50,000 attributes of one name', make: () => Array.from({ length: 50_000 }, () => ['same', '1'] as const) },
  { name: 'a name of 900 KB', make: () => [['a'.repeat(900_000), '1']] },
]
