import type { CloudEvent } from '@taproom/events'

/** How often an event may still pass a broker; Knative's loop guard. */
const TTL = 'knativebrokerttl'
const ARRIVAL_TIME = 'knativearrivaltime'
const DEFAULT_TTL = 255
const MAX_ERROR_DATA = 1024

/** The passes an event has left according to its loop guard; undefined when it carries none. */
export function readTtl(event: CloudEvent): number | undefined {
  const text = event.extensions[TTL]
  return text !== undefined && /^[+-]?\d{1,10}$/.test(text) ? Number(text) : undefined
}

/** The passes left once an event has entered the broker; none are left at 0 or below. */
export function ttlAfterPass(event: CloudEvent): number {
  const ttl = readTtl(event)
  return ttl === undefined ? DEFAULT_TTL : ttl - 1
}

/** The event as it is kept: with its loop guard and the time it came. */
export function withArrival(event: CloudEvent, options: { ttl: number; time: Date }): CloudEvent {
  return extended(event, { [TTL]: String(options.ttl), [ARRIVAL_TIME]: options.time.toISOString() })
}

/** A subscriber's answer, guarded by what is left to the event it answers. */
export function asReply(reply: CloudEvent, ttl: number): CloudEvent {
  return extended(reply, { [TTL]: String(ttl) })
}

/** The event as subscribers get it. */
export function withoutTtl(event: CloudEvent): CloudEvent {
  const { [TTL]: _ttl, ...extensions } = event.extensions
  return { ...event, extensions }
}

/** The event as a dead letter sink gets it: where it could not go, the last status, and the start of the last answer. */
export function asDeadLetter(
  event: CloudEvent,
  failure: { readonly destination: string; readonly status?: number | undefined; readonly body?: string | undefined },
): CloudEvent {
  const { destination, status, body } = failure
  return extended(withoutTtl(event), {
    knativeerrordest: destination,
    ...(status !== undefined && { knativeerrorcode: String(status) }),
    ...(body && { knativeerrordata: printable(body).slice(0, MAX_ERROR_DATA) }),
  })
}

function extended(event: CloudEvent, extensions: Readonly<Record<string, string>>): CloudEvent {
  return { ...event, extensions: { ...event.extensions, ...extensions } }
}

/** CloudEvents strings hold no control characters. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
