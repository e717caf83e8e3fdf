import { CesqlError } from './cesql-error.ts'

/** A CESQL value: String, Integer (32 bit, signed) or Boolean. */
export type Value = string | number | boolean

const INTEGER = /^[+-]?\d+$/
/** Leading zeros included. */
const LONGEST_INTEGER = 100
const LEAST = -(2 ** 31)
const MOST = 2 ** 31 - 1

/** Whether a number is a 32-bit signed integer. */
export function fitsInteger(value: number): boolean {
  return Number.isInteger(value) && value >= LEAST && value <= MOST
}

/** Casts to Integer. */
export function toInteger(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  const integer = value.length <= LONGEST_INTEGER && INTEGER.test(value) ? Number(value) : Number.NaN
  if (!fitsInteger(integer)) throw new CesqlError('cast', 'a string is no 32-bit integer')
  return integer
}

/** Casts to Boolean. */
export function toBoolean(value: Value): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  const text = value.length <= 'false'.length ? value.toLowerCase() : ''
  if (text !== 'true' && text !== 'false') throw new CesqlError('cast', 'a string is no boolean')
  return text === 'true'
}

/** Casts `value` to the type of `other`. */
export function toTypeOf(other: Value, value: Value): Value {
  if (typeof other === 'number') return toInteger(value)
  return typeof other === 'boolean' ? toBoolean(value) : String(value)
}

/** An arithmetic result, which must fit an Integer. */
export function integerResult(value: number): number {
  if (!fitsInteger(value)) throw new CesqlError('math', 'a result is out of the 32-bit range')
  // -0 has no place among the integers.
  return value + 0
}
