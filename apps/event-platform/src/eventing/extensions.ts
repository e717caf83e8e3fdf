import type { CloudEvent } from '@taproom/events'

/** How often an event may still pass a broker; Knative's loop guard. */
const TTL = 'knativebrokerttl'
const ARRIVAL_TIME = 'knativearrivaltime'
const ERROR_DESTINATION = 'knativeerrordest'
const ERROR_CODE = 'knativeerrorcode'
const ERROR_DATA = 'knativeerrordata'
const MOST_PASSES = 255
const MAX_ERROR_DATA_BYTES = 1024
/** They are three times as long where each has to be percent-encoded. */
const MAX_DESTINATION_CHARACTERS = 340

/** The passes an event has left according to its loop guard; undefined when it carries none. */
export function readTtl(event: CloudEvent): number | undefined {
  const text = event.extensions[TTL]
  return text !== undefined && /^[+-]?\d{1,10}$/.test(text) ? Number(text) : undefined
}

/** The passes left once an event has entered the broker, none at 0 or below; a sender can ask for fewer than usual, not for more. */
export function ttlAfterPass(event: CloudEvent): number {
  const ttl = readTtl(event)
  return ttl === undefined ? MOST_PASSES : Math.min(ttl - 1, MOST_PASSES)
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

/**
 * The event as a dead letter sink gets it: where it could not go, the last status, and the start of the last answer in Base64. It keeps
 * its loop guard, so that a sink which leads back to a broker sees it a bounded number of times.
 */
export function asDeadLetter(
  event: CloudEvent,
  failure: { readonly destination: string; readonly status: number; readonly data: Buffer },
): CloudEvent {
  const { destination, status, data } = failure
  return extended(event, {
    [ERROR_DESTINATION]: destination.slice(0, MAX_DESTINATION_CHARACTERS),
    [ERROR_CODE]: String(status),
    [ERROR_DATA]: data.subarray(0, MAX_ERROR_DATA_BYTES).toString('base64'),
  })
}

function extended(event: CloudEvent, extensions: Readonly<Record<string, string>>): CloudEvent {
  return { ...event, extensions: { ...event.extensions, ...extensions } }
}
