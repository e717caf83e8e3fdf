/** The types of settings: their numbers in the protocol. */
export const SETTING_TYPES = { boolean: 1, string: 2, int: 3, short: 4, long: 5, double: 6, list: 7 } as const

export type SettingType = keyof typeof SETTING_TYPES

const RANGES = {
  short: { least: -(2n ** 15n), most: 2n ** 15n - 1n },
  int: { least: -(2n ** 31n), most: 2n ** 31n - 1n },
  long: { least: -(2n ** 63n), most: 2n ** 63n - 1n },
} as const
const WHOLE = /^[+-]?\d{1,40}$/
/** What Java reads as a double, without hexadecimal ones. */
const DOUBLE = /^[+-]?(NaN|Infinity|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,5})?[fFdD]?)$/

function isWhole(text: string, { least, most }: { readonly least: bigint; readonly most: bigint }): boolean {
  if (!WHOLE.test(text)) return false
  const value = BigInt(text.replace('+', ''))
  return value >= least && value <= most
}

/** What is wrong with a text as a value of this type, in Apache Kafka's words; undefined for nothing. */
export function typeProblem(type: SettingType, text: string): string | undefined {
  const trimmed = text.trim()
  if (type === 'short' || type === 'int' || type === 'long') {
    return isWhole(trimmed, RANGES[type]) ? undefined : `Not a number of type ${type.toUpperCase()}`
  }
  if (type === 'double') return DOUBLE.test(trimmed) ? undefined : 'Not a number of type DOUBLE'
  if (type === 'boolean') {
    return /^(true|false)$/i.test(trimmed) ? undefined : 'Expected value to be either true or false'
  }
  return undefined
}

/** Beyond ±2^53 not exact. */
export function numberOf(text: string): number {
  return Number(text.trim().replace(/[fFdD]$/, ''))
}

/** The items of a list; an empty text is an empty list. */
export function itemsOf(text: string): readonly string[] {
  const trimmed = text.trim()
  return trimmed === '' ? [] : trimmed.split(/\s*,\s*/)
}
