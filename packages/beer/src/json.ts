import { JsonError, parseJson } from '@taproom/limits'
import { BeerFormatError } from './errors.ts'

/** UTF-16 units of a name or a tagline: one beer alone must not fill the queue of every client of a stream. */
export const MAX_TEXT = 65_536

/** A beer has three fields here, and some ten with lists at the beer service. */
const MAX_DEPTH = 32

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads JSON text (UTF-8 bytes or a string) that must hold one object. Throws {@link BeerFormatError}. */
export function parseJsonObject(json: string | Uint8Array, what: string): Record<string, unknown> {
  return asObject(parse(json, what), what)
}

/** Narrows a parsed value to a JSON object. Throws {@link BeerFormatError}. */
export function asObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BeerFormatError(`${what} must be a JSON object, received ${kindOf(value)}`)
  }
  return value as Record<string, unknown>
}

/** The name that both kinds of beer carry and that is the key of their messages. Throws {@link BeerFormatError}. */
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

/** The JSON kind of a value, for messages that must not carry the value itself. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (value === '') return 'an empty string'
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}

/** Reads JSON text (UTF-8 bytes or a string) within the limits of \@taproom/limits. Throws {@link BeerFormatError}. */
export function parse(json: string | Uint8Array, what: string): unknown {
  try {
    return parseJson(typeof json === 'string' ? json : utf8.decode(json), { maxDepth: MAX_DEPTH })
  } catch (error) {
    // The parser's own error quotes the input, which may not go into logs; so it is no `cause` here.
    const isRule = error instanceof JsonError && error.code !== 'JSON_INVALID'
    throw new BeerFormatError(isRule ? `${what}: ${error.message}` : `${what} must be JSON in UTF-8`)
  }
}
