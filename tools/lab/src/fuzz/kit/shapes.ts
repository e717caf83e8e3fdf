/** The name of a value of up to a mebibyte that is chosen to be as expensive for its reader as possible, and what makes it. */
export type Shape<T> = readonly [name: string, make: () => T]

/** A name and a value for each of many attributes, members or headers. */
export type Pairs = readonly (readonly [name: string, value: string])[]

/** Each shape in each of the named places where a reader accepts it. */
export function inPlaces<S, T>(
  shapes: readonly Shape<S>[],
  places: Readonly<Record<string, (value: S) => T>>,
): readonly Shape<T>[] {
  return shapes.flatMap(([name, make]) =>
    Object.entries(places).map(([place, put]): Shape<T> => [`${place}: ${name}`, () => put(make())]),
  )
}

const MIB = 1024 * 1024
/** Room for the text around a shape, so that the whole fits into a mebibyte. */
const ROOM = 4096

/** Copies that fill most of a mebibyte, or as many as asked for. */
const filled = (piece: string, most = Number.POSITIVE_INFINITY) =>
  piece.repeat(Math.min(most, Math.floor((MIB - ROOM) / Buffer.byteLength(piece))))

/** As many openings, and as many ends. */
export const levels = (open: string, close: string, depth: number, inner = '') =>
  open.repeat(depth) + inner + close.repeat(depth)

/** Texts made for each index. */
export const list = (length: number, item: (index: number) => string, separator = ',') =>
  Array.from({ length }, (_, index) => item(index)).join(separator)

const pairs = (length: number, name: (index: number) => string, value: string): Pairs =>
  Array.from({ length }, (_, index) => [name(index), value])

/** Keeps the last one: it is needed in many places one after the other, and all together would take too much memory. */
function remembered<T>(table: Readonly<Record<string, () => T>>): readonly Shape<T>[] {
  let last: { readonly name: string; readonly made: T } | undefined
  return Object.entries(table).map(([name, make]): Shape<T> => {
    const makeOnce = () => {
      if (last?.name !== name) last = { name, made: make() }
      return last.made
    }
    return [name, makeOnce]
  })
}

/** Texts of JSON values. */
export const JSON_SHAPES = remembered({
  '6,000 levels of arrays': () => levels('[', ']', 6000),
  '100,000 levels of arrays': () => levels('[', ']', 100_000),
  '500,000 levels of arrays that do not end': () => '['.repeat(500_000),
  '6,000 levels of objects': () => levels('{"a":', '}', 6000, '1'),
  '100,000 levels of objects': () => levels('{"a":', '}', 100_000, '1'),
  '450 levels of arrays, side by side': () => `[${list(1000, () => levels('[', ']', 450))}]`,
  '100,000 members': () => `{${list(100_000, (index) => `"${index.toString(36)}":0`)}}`,
  '40,000 members': () => `{${list(40_000, (index) => `"member${index}":"${index}"`)}}`,
  '60,000 members of one name': () => `{${list(60_000, () => '"__proto__":{}')}}`,
  '500,000 numbers': () => `[${filled('0,', 500_000)}0]`,
  '200,000 objects': () => `[${filled('{},', 200_000)}{}]`,
  'a number of 900,000 digits': () => '9'.repeat(900_000),
  'a string of 170,000 escapes': () => `"${filled('\\u00e9', 170_000)}"`,
  'a string of 170,000 unpaired surrogates': () => `"${filled('\\ud800', 170_000)}"`,
  'a string of 500,000 backslashes': () => `"${filled('\\\\', 500_000)}"`,
  'a string of a mebibyte that does not end': () => `"${filled('a')}`,
  'a mebibyte of blanks': () => `${filled(' ')}1`,
})

/** Values of 900 KB, for one attribute, name, header or member. */
export const TEXT_SHAPES = remembered({
  '900 KB of letters': () => 'a'.repeat(900_000),
  '900 KB to be percent-encoded': () => 'é'.repeat(450_000),
  '900 KB of spaces': () => ' '.repeat(900_000),
  '900 KB of percent signs': () => '%'.repeat(900_000),
  '900 KB of escapes': () => '%C3%A9'.repeat(150_000),
  '900 KB of quotes': () => '"'.repeat(900_000),
  '900 KB of commas': () => ','.repeat(900_000),
  '900 KB of slashes': () => '/'.repeat(900_000),
  '900 KB of line separators': () => '\u2028'.repeat(300_000),
  '900 KB of emoji': () => '😀'.repeat(225_000),
})

/** Names and values of many attributes, members or headers. */
export const MEMBER_SHAPES = remembered({
  '50,000 attributes': () => pairs(50_000, (index) => `x${index}`, '1'),
  '5,000 attributes': () => pairs(5000, (index) => `x${index}`, 'é'.repeat(50)),
  '250 attributes of 4 KB': () => pairs(250, (index) => `x${index}`, 'é'.repeat(2000)),
  '50,000 attributes of one name': () => pairs(50_000, () => 'same', '1'),
  'a name of 900 KB': () => pairs(1, () => 'a'.repeat(900_000), '1'),
})
