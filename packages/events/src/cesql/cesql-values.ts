/** Kinds of the CESQL specification (1.0, section 3.3). */
export type CesqlErrorKind = 'parse' | 'math' | 'cast' | 'missingAttribute' | 'missingFunction' | 'functionEvaluation'

/** An expression cannot be parsed, or not be evaluated for an event. Not exported by the package. */
export class CesqlError extends Error {
  override name = 'CesqlError'
  readonly kind: CesqlErrorKind

  constructor(kind: CesqlErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** A CESQL value: String, Integer (32 bit, signed) or Boolean. */
export type Value = string | number | boolean

const INTEGER = /^[+-]?\d+$/
/** Characters, leading zeros included. */
const LONGEST_INTEGER = 100
const LEAST = -(2 ** 31)
const MOST = 2 ** 31 - 1

export function fitsInteger(value: number): boolean {
  return Number.isInteger(value) && value >= LEAST && value <= MOST
}

export function toInteger(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  const integer = value.length <= LONGEST_INTEGER && INTEGER.test(value) ? Number(value) : Number.NaN
  if (!fitsInteger(integer)) throw new CesqlError('cast', 'a string is no 32-bit integer')
  return integer
}

export function toBoolean(value: Value): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  const text = value.length <= 'false'.length ? value.toLowerCase() : ''
  if (text !== 'true' && text !== 'false') throw new CesqlError('cast', 'a string is no boolean')
  return text === 'true'
}

export function toTypeOf(other: Value, value: Value): Value {
  if (typeof other === 'number') return toInteger(value)
  return typeof other === 'boolean' ? toBoolean(value) : String(value)
}

/** @throws {CesqlError} when the result of an operation is not a 32-bit integer */
export function integerResult(value: number): number {
  if (!fitsInteger(value)) throw new CesqlError('math', 'a result is out of the 32-bit range')
  // Turns -0 into 0.
  return value + 0
}
