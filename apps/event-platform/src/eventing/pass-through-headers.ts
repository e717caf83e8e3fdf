import type { EventHeaders } from '@taproom/events'
import { isHeaderValue } from '@taproom/http'

const PASSED_ON =
  /^(?:x-request-id|retry-after|traceparent|tracestate|baggage|b3|(?:knative|k-eventing|x-b3)-[a-z0-9!#$%&'*+.^_`|~-]+)$/

const MOST_HEADERS = 64
/** Half of what common servers accept; the rest is for the usual headers and attributes. */
const MOST_BYTES = 8 * 1024
/** Bytes of `: ` and the line end. */
const SEPARATORS = 4

type Headers = Readonly<Record<string, string>>

/**
 * Headers passed on with an event to its deliveries, as in Knative, except those no request can carry, which records of other producers may
 * have.
 */
export function passThroughHeaders(headers: EventHeaders): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name in headers) {
    // Most headers are attributes, which are never passed on here.
    if (name.startsWith('ce') || !PASSED_ON.test(name)) continue
    const value = headers[name]
    if (typeof value === 'string' && isHeaderValue(value)) passed[name] = value
  }
  return passed
}

/** Why not every subscriber could get these headers; undefined when all can. */
export function tooMuchToCarry(headers: Headers): string | undefined {
  let [count, bytes] = [0, 0]
  for (const name in headers) {
    count += 1
    bytes += name.length + (headers[name]?.length ?? 0) + SEPARATORS
  }
  if (count <= MOST_HEADERS && bytes <= MOST_BYTES) return undefined
  return `at most ${MOST_HEADERS} headers of ${MOST_BYTES} bytes travel with an event, not ${count} of ${bytes}`
}

/** Headers passed on with a reply: its own, and those of the answered request while both fit. */
export function replyHeaders(reply: EventHeaders | undefined, request: EventHeaders): Headers {
  const own = passThroughHeaders(reply ?? {})
  const { tracestate, ...others } = passThroughHeaders(request)
  // A tracestate belongs to its traceparent.
  const isSameTrace = tracestate !== undefined && own['traceparent'] === undefined
  const all = { ...others, ...(isSameTrace && { tracestate }), ...own }
  return tooMuchToCarry(all) === undefined ? all : own
}
