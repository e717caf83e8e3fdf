import { isUtf8 } from 'node:buffer'
import { checkJson, JsonError, type JsonKind, parseJson } from '@taproom/core/limits'

/** Bytes. `JSON.parse` is the fastest check, but building a longer value may take too long. */
const LONGEST_BUILT = 16 * 1024

/**
 * The kind of the outermost value.
 *
 * @throws {JsonError} when the data is not JSON in UTF-8 or nested too deep
 */
export function jsonKindOf(data: Buffer): JsonKind {
  if (!isUtf8(data)) throw new JsonError('JSON_INVALID', 'the text is not UTF-8')
  const text = data.toString()
  return text.length > LONGEST_BUILT ? checkJson(text) : kindOf(parseJson(text))
}

/** White space of JSON. */
export function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as Exclude<JsonKind, 'array' | 'null'>)
}
