import type { CloudEvent } from '@taproom/events'

/** Knative's loop guard: brokers that an event may still pass. */
const TTL = 'knativebrokerttl'
const ARRIVAL_TIME = 'knativearrivaltime'
const ERROR_DESTINATION = 'knativeerrordest'
const ERROR_CODE = 'knativeerrorcode'
const ERROR_DATA = 'knativeerrordata'
const MOST_PASSES = 255
const MAX_ERROR_DATA_BYTES = 1024
/** Percent-encoding can triple them. */
const MAX_DESTINATION_CHARACTERS = 340

/** Undefined when the event has no TTL. */
export function readTtl(event: CloudEvent): number | undefined {
  const text = event.extensions[TTL]
  return text !== undefined && /^[+-]?\d{1,10}$/.test(text) ? Number(text) : undefined
}

/** Passes left after this broker, none at 0 or below. Senders may ask for fewer than usual, not for more. */
export function ttlAfterPass(event: CloudEvent): number {
  const ttl = readTtl(event)
  return ttl === undefined ? MOST_PASSES : Math.min(ttl - 1, MOST_PASSES)
}

/** The event as stored: with TTL and time of arrival. */
export function withArrival(event: CloudEvent, options: { ttl: number; time: Date }): CloudEvent {
  return extended(event, { [TTL]: String(options.ttl), [ARRIVAL_TIME]: options.time.toISOString() })
}

/** A reply gets what is left of its event's TTL. */
export function asReply(reply: CloudEvent, ttl: number): CloudEvent {
  return extended(reply, { [TTL]: String(ttl) })
}

export function withoutTtl(event: CloudEvent): CloudEvent {
  const { [TTL]: _ttl, ...extensions } = event.extensions
  return { ...event, extensions }
}

/**
 * The event for the dead letter sink: where it could not go, the last status, and the start of the last answer in Base64. Keeps its TTL, so
 * that a sink which leads back to a broker cannot loop for ever.
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
