import { parseJson } from '@taproom/core/limits'
import { InvalidSchemaError } from '../errors.ts'
import { REGISTRY_LIMITS } from '../limits.ts'

/** TypeScript does not know these two yet: https://github.com/tc39/proposal-json-parse-with-source */
declare global {
  interface JSON {
    rawJSON(text: string): object
    isRawJSON(value: unknown): boolean
  }
}

/**
 * Reads a schema that is JSON, within the limits of schemas.
 * @throws {InvalidSchemaError} when it is not JSON, too deep or too large
 */
export function parseSchemaJson(text: string): unknown {
  const { depth, jsonValues } = REGISTRY_LIMITS
  try {
    return parseJson(text, { maxDepth: depth, maxValues: jsonValues })
  } catch (cause) {
    throw new InvalidSchemaError(`the schema is not JSON within the limits: ${(cause as Error).message}`, { cause })
  }
}

/** Reads JSON that `parseSchemaJson` has read before, and keeps numbers as they were written: 1.0, or more digits than a number has. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, keepNumber as (key: string, value: unknown) => unknown)
}

function keepNumber(_key: string, value: unknown, context: { readonly source: string }): unknown {
  return typeof value === 'number' && String(value) !== context.source ? JSON.rawJSON(context.source) : value
}

/** The same value with the members of every object in the order of their names. */
export function withSortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedMembers)
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, withSortedMembers(value[name as keyof typeof value])]))
}
