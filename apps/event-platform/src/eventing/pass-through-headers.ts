import type { IncomingHttpHeaders } from 'node:http'

const PASSED_ON = /^(x-request-id|retry-after|traceparent|tracestate|knative-.+|x-b3-.+|b3)$/
const MAX_BYTES = 8192

/** Headers that travel with an event from the request that brought it to the requests that deliver it, as in Knative. */
export function passThroughHeaders(headers: IncomingHttpHeaders | Readonly<Record<string, string | undefined>>) {
  const passed: Record<string, string> = {}
  let bytes = 0
  for (const [name, value] of Object.entries(headers)) {
    // Attributes are most of what an event has, and none of them is passed on.
    if (name.startsWith('ce') || !PASSED_ON.test(name) || typeof value !== 'string') continue
    bytes += name.length + value.length
    if (bytes <= MAX_BYTES) passed[name] = value
  }
  return passed
}
