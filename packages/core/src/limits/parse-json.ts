import { JsonError, tooDeep } from './json-error.ts'
import { LIMITS } from './limits.ts'

/** A JSON object whose members are not looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** False for arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface JsonLimits {
  /** Levels of nesting; default `LIMITS.jsonDepth`. */
  readonly maxDepth?: number
  /** Values, those in arrays and objects included; default `LIMITS.jsonValues`. */
  readonly maxValues?: number
  /**
   * Refuses an object that names a member twice, of which `JSON.parse` keeps the last and other parsers the first (RFC 7515, section 4; RFC
   * 7519, section 4). Default: false.
   */
  readonly uniqueNames?: boolean
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Leaves out a byte order mark at the beginning, as RFC 8259, section 8.1, lets a parser do. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * `JSON.parse` for a text from outside, or for the bytes of one: checks the limits before it builds anything.
 *
 * @throws {JsonError} when the text is not JSON, the bytes are not UTF-8, or it is nested too deep, has too many values, or repeats a name
 * that must be unique
 */
export function parseJson(json: string | Uint8Array, limits: JsonLimits = {}): unknown {
  const text = typeof json === 'string' ? json : decode(json)
  const { maxDepth = LIMITS.jsonDepth, maxValues = LIMITS.jsonValues, uniqueNames = false } = limits
  // Each level takes at least one character, and so does each value after the first two.
  const mustCount = uniqueNames || text.length > maxDepth || text.length > maxValues
  const colons = mustCount ? checkLimits(text, maxDepth, maxValues) : 0
  const value = parse(text)
  if (uniqueNames && countMembers(value) !== colons) {
    throw new JsonError('JSON_INVALID', 'an object of the JSON text names a member twice')
  }
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new JsonError('JSON_INVALID', 'the text is not JSON', { cause })
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new JsonError('JSON_INVALID', 'the text is not UTF-8', { cause })
  }
}

/**
 * Returns how many colons are outside of strings: one for each member. The text may not be JSON: then the counts may be wrong, and
 * `JSON.parse` refuses it anyway.
 */
function checkLimits(text: string, maxDepth: number, maxValues: number): number {
  let depth = 0
  let values = 1
  let colons = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case COLON:
        colons += 1
        break
      case COMMA:
        values += 1
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        values += 1
        depth += 1
        if (depth > maxDepth) throw tooDeep(maxDepth)
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1
    }
    if (values > maxValues) {
      throw new JsonError('JSON_TOO_MANY_VALUES', `JSON must not have more than ${maxValues} values`)
    }
  }
  return colons
}

/**
 * Where the closing quote is of a JSON string whose opening quote is at `start`; the length of the text if there is none. The text may not
 * be JSON. Searching for the quote takes a fraction of the time that looking at each character does.
 */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return quote
  }
  return text.length
}

/** The members of all objects in a value. The depth of the value has been checked. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const element of value) members += countMembers(element)
  } else {
    // Objects from JSON.parse have no inherited enumerable properties.
    for (const name in value) members += 1 + countMembers((value as Record<string, unknown>)[name])
  }
  return members
}
