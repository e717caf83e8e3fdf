import { isJsonObject, JsonError, parseJson } from '@taproom/core/limits'
import { BeerFormatError } from './errors.ts'

/** UTF-16 units. One beer alone must not fill the queue of every client of a stream. */
export const MAX_TEXT = 65_536

/** A beer has three fields here, and some ten with lists at the beer service. */
const MAX_DEPTH = 32

/** Reads JSON text that must be one object. @throws {BeerFormatError} when it is not */
export function parseJsonObject(json: string | Uint8Array, what: string): Record<string, unknown> {
  return asObject(parse(json, what), what)
}

/** @throws {BeerFormatError} when `value` is not a JSON object */
export function asObject(value: unknown, what: string): Record<string, unknown> {
  if (!isJsonObject(value)) throw new BeerFormatError(`${what} must be a JSON object, received ${kindOf(value)}`)
  return value
}

/** The name of either kind of beer, which is the key of its messages. @throws {BeerFormatError} when it is missing, blank or too long */
export function requireName(fields: Record<string, unknown>, what: string): string {
  const name = fields['name']
  if (typeof name !== 'string' || name.trim() === '') {
    throw new BeerFormatError(
      `${what}: name must be a string with at least one visible character, received ${kindOf(name)}`,
    )
  }
  if (name.length > MAX_TEXT) throw new BeerFormatError(`${what}: name must not be longer than ${MAX_TEXT} characters`)
  return name
}

/** A value's JSON kind, for messages that must not quote the value. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (value === '') return 'an empty string'
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}

/** Reads JSON text within the limits of \@taproom/core/limits. @throws {BeerFormatError} when it is not JSON in UTF-8 or breaks a limit */
export function parse(json: string | Uint8Array, what: string): unknown {
  try {
    return parseJson(json, { maxDepth: MAX_DEPTH })
  } catch (error) {
    // The parser's error quotes the input, which must not reach a log: it is not passed on as `cause`.
    const isRule = error instanceof JsonError && error.code !== 'JSON_INVALID'
    throw new BeerFormatError(isRule ? `${what}: ${error.message}` : `${what} must be JSON in UTF-8`)
  }
}
