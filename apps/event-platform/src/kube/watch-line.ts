import type { KubeObject } from '../resources/object.ts'
import type { ResourceChange } from '../resources/resource-store.ts'
import type { Representation } from './representation.ts'

/** A change, or an object that existed before. */
export type WatchEvent = ResourceChange | { readonly type: 'ADDED'; readonly object: KubeObject; readonly bytes: 0 }

/**
 * One event as a line; only the first line of a table has columns. Serialises each change once for all watchers with the same
 * representation.
 */
export function createWatchLine() {
  const texts = new WeakMap<ResourceChange, Map<string, string>>()
  return (event: WatchEvent, representation: Representation, options: { isFirst: boolean }): string => {
    const { type, object } = event
    const write = () => `${JSON.stringify({ type, object: representation.watched(object, options) })}\n`
    if (!('version' in event)) return write()
    const lines = texts.get(event) ?? new Map<string, string>()
    texts.set(event, lines)
    const key = `${representation.name} ${options.isFirst}`
    const line = lines.get(key) ?? write()
    lines.set(key, line)
    return line
  }
}
