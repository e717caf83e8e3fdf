import { isJsonObject, type JsonObject } from '@taproom/core/limits'

/** A value of a document with its references replaced by what they mean. */
export type Resolve = (value: unknown) => unknown

/** Depth of references within references: a schema may contain itself. */
const MAX_DEPTH = 30
/** All resolved values together: references could multiply. */
const MAX_VALUES = 50_000

/** Beyond the limits, and where a reference leads nowhere or out of the document, the value is `{}`: anything. */
export function createResolver(document: JsonObject): Resolve {
  let values = 0
  const resolve = (value: unknown, within: readonly string[], depth: number): unknown => {
    values += 1
    if (typeof value !== 'object' || value === null) return value
    if (values > MAX_VALUES || depth > MAX_DEPTH) return {}
    if (Array.isArray(value)) return value.map((each) => resolve(each, within, depth + 1))
    const { $ref: reference, ...others } = value as Record<string, unknown>
    const resolved = Object.fromEntries(
      Object.entries(others).map(([name, each]) => [name, resolve(each, within, depth + 1)]),
    )
    if (typeof reference !== 'string') return resolved
    if (within.includes(reference)) return resolved
    const meant = resolve(target(document, reference), [...within, reference], depth + 1)
    return isJsonObject(meant) ? { ...meant, ...resolved } : (meant ?? {})
  }
  return (value) => resolve(value, [], 0)
}

/** By a JSON pointer (RFC 6901) as a fragment. */
function target(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  let found: unknown = document
  for (const part of reference.slice(2).split('/')) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
