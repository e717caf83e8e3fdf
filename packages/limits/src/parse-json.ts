import { endOfString } from './end-of-string.ts'
import { JsonError, tooDeep, tooManyValues } from './json-error.ts'
import { LIMITS } from './limits.ts'

export interface JsonLimits {
  /** Levels of nesting; default `LIMITS.jsonDepth`. */
  readonly maxDepth?: number
  /** Values, those in arrays and objects included; default `LIMITS.jsonValues`. */
  readonly maxValues?: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * `JSON.parse` for a text from outside: checks the limits before it builds anything.
 *
 * @throws {JsonError} when the text is not JSON, is nested too deep, or has too many values
 */
export function parseJson(text: string, limits: JsonLimits = {}): unknown {
  const { maxDepth = LIMITS.jsonDepth, maxValues = LIMITS.jsonValues } = limits
  // Each level takes at least one character, and so does each value after the first two.
  if (text.length > maxDepth || text.length > maxValues) checkLimits(text, maxDepth, maxValues)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new JsonError('JSON_INVALID', 'the text is not JSON', { cause })
  }
}

/** The text may not be JSON: then the counts may be wrong, and `JSON.parse` refuses it anyway. */
function checkLimits(text: string, maxDepth: number, maxValues: number): void {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
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
    if (values > maxValues) throw tooManyValues(maxValues)
  }
}
