import type { SpanView } from '../api/traces.ts'

/** What a member or an element costs beside its texts. */
const BYTES_OF_VALUE = 20

/** How large a span is by itself, without its resource, of which its service is: the spans of one request share it. */
export function bytesOfSpan({ resource: _resource, service: _service, ...span }: SpanView): number {
  return bytesOf(span)
}

export function bytesOfResource({ resource }: Pick<SpanView, 'resource'>): number {
  return bytesOf(resource)
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let bytes = 0
  for (const [name, each] of Object.entries(value)) bytes += BYTES_OF_VALUE + name.length + bytesOf(each)
  return bytes
}
