import { randomUUID } from 'node:crypto'

type Headers = Readonly<Record<string, string>>

const TRACEPARENT =
  /^(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<parent>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/
const ALL_ZERO = /^0+$/
const SAMPLED = 0x01

/**
 * Headers for the next hop: the same trace with a new span, `tracestate` unchanged. Without a valid `traceparent` a new, unsampled trace
 * begins and `tracestate` is dropped. Source: W3C Trace Context, 3.2 and 4.3; later versions are read as version 00.
 */
export function nextHop(headers: Headers, random: (bytes: number) => string = randomHex): Headers {
  const { traceparent, tracestate, ...others } = headers
  const { version, trace, parent, flags = '00', more } = TRACEPARENT.exec(traceparent ?? '')?.groups ?? {}
  const isValid =
    version !== undefined &&
    version !== 'ff' &&
    (version !== '00' || more === undefined) &&
    !ALL_ZERO.test(trace ?? '0') &&
    !ALL_ZERO.test(parent ?? '0')
  const span = random(8)
  if (!isValid) return { ...others, traceparent: `00-${random(16)}-${span}-00` }
  const known = (Number.parseInt(flags, 16) & SAMPLED).toString(16).padStart(2, '0')
  return { ...others, traceparent: `00-${trace}-${span}-${known}`, ...(tracestate !== undefined && { tracestate }) }
}

/** Takes eight random bytes from each UUID: Node generates UUIDs in advance, but not bytes. */
function randomHex(bytes: number): string {
  let hex = ''
  while (hex.length < bytes * 2) {
    const uuid = randomUUID()
    hex += uuid.slice(0, 8) + uuid.slice(-8)
  }
  return hex
}
