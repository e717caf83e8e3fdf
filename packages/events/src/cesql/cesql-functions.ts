import { CesqlError, fitsInteger, integerResult, toBoolean, toInteger, type Value } from './cesql-values.ts'

export interface CesqlFunction {
  readonly least: number
  readonly most: number
  readonly call: (...args: readonly Value[]) => Value
}

/** Longer than all attributes of an event together. In characters. */
const LONGEST_TEXT = 16 * 1024
const WHITE_SPACE = /^\p{White_Space}$/u

/** The functions of CESQL 1.0, section 3.5, and the explicit casts of its conformance tests, by name in upper case. */
export const CESQL_FUNCTIONS: ReadonlyMap<string, CesqlFunction> = new Map([
  ['LENGTH', fixed(1, (x) => charactersOf(x).length)],
  ['CONCAT', variadic(0, (...parts) => joined('', parts))],
  ['CONCAT_WS', variadic(1, (delimiter, ...parts) => joined(String(delimiter), parts))],
  ['LOWER', fixed(1, (x) => String(x).toLowerCase())],
  ['UPPER', fixed(1, (x) => String(x).toUpperCase())],
  ['TRIM', fixed(1, (x) => trimmed(String(x)))],
  ['LEFT', fixed(2, (x, count) => charactersOf(x).slice(0, countOf(count)).join(''))],
  ['RIGHT', fixed(2, right)],
  ['SUBSTRING', { least: 2, most: 3, call: substring as CesqlFunction['call'] }],
  ['ABS', fixed(1, (x) => integerResult(Math.abs(toInteger(x))))],
  ['INT', fixed(1, toInteger)],
  ['BOOL', fixed(1, toBoolean)],
  ['STRING', fixed(1, String)],
  ['IS_INT', fixed(1, (x) => succeeds(() => toInteger(x)))],
  ['IS_BOOL', fixed(1, (x) => succeeds(() => toBoolean(x)))],
])

function fixed<const N extends 1 | 2>(
  arity: N,
  call: N extends 1 ? (x: Value) => Value : (x: Value, y: Value) => Value,
) {
  return { least: arity, most: arity, call: call as CesqlFunction['call'] }
}

function variadic(least: number, call: CesqlFunction['call']): CesqlFunction {
  return { least, most: Number.POSITIVE_INFINITY, call }
}

/** Nested CONCATs could otherwise grow one attribute without limit. */
function joined(delimiter: string, parts: readonly Value[]): string {
  const text = parts.map(String).join(delimiter)
  if (text.length > LONGEST_TEXT) {
    throw new CesqlError('functionEvaluation', `a text is longer than ${LONGEST_TEXT} characters`)
  }
  return text
}

function right(x: Value, count: Value): string {
  const characters = charactersOf(x)
  return characters.slice(Math.max(0, characters.length - countOf(count))).join('')
}

function substring(x: Value, position: Value, length?: Value): string {
  const characters = charactersOf(x)
  const start = toInteger(position)
  const count = length === undefined ? characters.length : countOf(length)
  if (Math.abs(start) > characters.length) {
    throw new CesqlError('functionEvaluation', 'SUBSTRING starts outside its string')
  }
  if (start === 0) return ''
  const from = start > 0 ? start - 1 : characters.length + start
  return characters.slice(from, from + count).join('')
}

/**
 * Not one regular expression: searching for trailing white space from each blank costs the square of their number. All white space is one
 * code unit.
 */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && WHITE_SPACE.test(text.charAt(start))) start += 1
  while (end > start && WHITE_SPACE.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function countOf(value: Value): number {
  const count = toInteger(value)
  if (count < 0) throw new CesqlError('functionEvaluation', 'a count of characters is negative')
  return count
}

function charactersOf(value: Value): string[] {
  return Array.from(String(value))
}

function succeeds(cast: () => Value): boolean {
  try {
    const value = cast()
    return typeof value !== 'number' || fitsInteger(value)
  } catch {
    return false
  }
}
