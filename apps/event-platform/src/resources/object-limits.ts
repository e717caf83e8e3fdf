import { LIMITS } from '@taproom/core/limits'
import { sizeOf } from './object.ts'

/**
 * The limit of a resource that a value breaks (`LIMITS.objectDepth`, `objectValues`, `objectBytes`), if any. Within the limits, code may
 * recurse over levels. A member `__proto__` is refused too, as some readers misread it.
 */
export function brokenObjectLimit(value: unknown): string | undefined {
  const { objectBytes, objectDepth, objectValues } = LIMITS
  let level: unknown[] = [value]
  let count = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length
    if (count > objectValues) return `must not have more than ${objectValues} values`
    const composites = level.filter((item): item is object => typeof item === 'object' && item !== null)
    if (composites.length > 0 && depth === objectDepth) return `must not be nested deeper than ${objectDepth} levels`
    const next: unknown[] = []
    for (const item of composites) {
      if (Object.hasOwn(item, '__proto__')) return 'must not have a member "__proto__"'
      const members = Array.isArray(item) ? item : Object.values(item)
      if (count + next.length + members.length > objectValues) return `must not have more than ${objectValues} values`
      for (const member of members) next.push(member)
    }
    level = next
  }
  return sizeOf(value) > objectBytes ? `must not have more than ${objectBytes} bytes as JSON` : undefined
}
