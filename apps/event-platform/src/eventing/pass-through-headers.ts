import type { EventHeaders } from '@taproom/events'

const PASSED_ON =
  /^(?:x-request-id|retry-after|traceparent|tracestate|baggage|b3|(?:knative|k-eventing|x-b3)-[a-z0-9!#$%&'*+.^_`|~-]+)$/
/** What an HTTP client lets into a header. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/

const MOST_HEADERS = 64
/** Half of what common servers take; the other half is for what every request has, and for attributes. */
const MOST_BYTES = 8 * 1024
/** The colon and space behind a name, and the line's end. */
const SEPARATORS = 4

type Headers = Readonly<Record<string, string>>

/**
 * Headers that travel with an event from the request that brought it to the requests that deliver it, as in Knative; those that no
 * request can carry, as a record of another producer may have them, stay behind.
 */
export function passThroughHeaders(headers: EventHeaders): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name in headers) {
    // Attributes are most of what an event has, and none of them is passed on.
    if (name.startsWith('ce') || !PASSED_ON.test(name)) continue
    const value = headers[name]
    if (typeof value === 'string' && SENDABLE.test(value)) passed[name] = value
  }
  return passed
}

/** Why headers cannot travel along to every subscriber; undefined when they can. */
export function tooMuchToCarry(headers: Headers): string | undefined {
  const entries = Object.entries(headers)
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length + SEPARATORS, 0)
  if (entries.length <= MOST_HEADERS && bytes <= MOST_BYTES) return undefined
  return `at most ${MOST_HEADERS} headers of ${MOST_BYTES} bytes travel with an event, not ${entries.length} of ${bytes}`
}

/** The headers that travel on with a reply: its own, and those of the request that it answers, as long as both can be carried. */
export function replyHeaders(reply: EventHeaders | undefined, request: EventHeaders): Headers {
  const own = passThroughHeaders(reply ?? {})
  const { tracestate, ...others } = passThroughHeaders(request)
  // A tracestate belongs to the traceparent it came with.
  const isSameTrace = tracestate !== undefined && own['traceparent'] === undefined
  const all = { ...others, ...(isSameTrace && { tracestate }), ...own }
  return tooMuchToCarry(all) === undefined ? all : own
}
