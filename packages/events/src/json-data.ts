import { isUtf8 } from 'node:buffer'
import { checkJson, JsonError, type JsonKind, parseJson } from '@taproom/limits'

/** What is shorter is built by `JSON.parse`, which is the quickest check there is; what is longer might take too long to build. */
const LONGEST_BUILT = 16 * 1024

/**
 * What JSON data is at its top.
 *
 * @throws {JsonError} for bytes that are no JSON in UTF-8, or nested too deep
 */
export function jsonKindOf(data: Buffer): JsonKind {
  if (!isUtf8(data)) throw new JsonError('JSON_INVALID', 'the text is not UTF-8')
  const text = data.toString()
  return text.length > LONGEST_BUILT ? checkJson(text) : kindOf(parseJson(text))
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as Exclude<JsonKind, 'array' | 'null'>)
}
