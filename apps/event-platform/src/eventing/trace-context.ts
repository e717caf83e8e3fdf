import { RandomIds } from '@taproom/core/spans'

type Headers = Readonly<Record<string, string>>

/** Version, trace, parent and flags; later versions may have more. No part is all zeros, and `ff` is no version. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/
/** Of one in version 00. */
const LENGTH = 55
const SAMPLED = 0x01
const IDS = new RandomIds()

/**
 * Headers for the next hop: the same trace with a new span, `tracestate` unchanged. Without a valid `traceparent` a new, unsampled trace
 * begins and `tracestate` is dropped. Source: W3C Trace Context, 3.2 and 4.3; later versions are read as version 00.
 */
export function nextHop(headers: Headers, ids: Pick<RandomIds, 'traceId' | 'spanId'> = IDS): Headers {
  const { traceparent = '' } = headers
  const isValid = TRACEPARENT.test(traceparent) && (traceparent.length === LENGTH || !traceparent.startsWith('00'))
  const next: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && name !== 'traceparent' && (isValid || name !== 'tracestate')) next[name] = value
  }
  const span = ids.spanId()
  if (isValid) {
    const flags = Number.parseInt(traceparent.slice(LENGTH - 2, LENGTH), 16) & SAMPLED
    next['traceparent'] = `00-${traceparent.slice(3, 35)}-${span}-0${flags}`
  } else {
    next['traceparent'] = `00-${ids.traceId()}-${span}-00`
  }
  return next
}
