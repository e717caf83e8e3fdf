import { attributeOf } from '@taproom/events'
import type { CloudEventV1 } from 'cloudevents'

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
export function readTtl(event: CloudEventV1<Buffer>): number | undefined {
  const text = attributeOf(event, TTL)
  return text !== undefined && /^[+-]?\d{1,10}$/.test(text) ? Number(text) : undefined
}

/** Passes left after this broker, none at 0 or below. Senders may ask for fewer than usual, not for more. */
export function ttlAfterPass(event: CloudEventV1<Buffer>): number {
  const ttl = readTtl(event)
  return ttl === undefined ? MOST_PASSES : Math.min(ttl - 1, MOST_PASSES)
}

/** The event as stored: with TTL and time of arrival. */
export function withArrival(event: CloudEventV1<Buffer>, options: { ttl: number; time: Date }): CloudEventV1<Buffer> {
  return { ...event, [TTL]: String(options.ttl), [ARRIVAL_TIME]: options.time.toISOString() }
}

/** A reply gets what is left of its event's TTL. */
export function asReply(reply: CloudEventV1<Buffer>, ttl: number): CloudEventV1<Buffer> {
  return { ...reply, [TTL]: String(ttl) }
}

export function withoutTtl(event: CloudEventV1<Buffer>): CloudEventV1<Buffer> {
  const { [TTL]: _ttl, ...others } = event
  return others
}

/**
 * The event for the dead letter sink: where it could not go, the last status, and the start of the last answer in Base64. Keeps its TTL, so
 * that a sink which leads back to a broker cannot loop for ever.
 */
export function asDeadLetter(
  event: CloudEventV1<Buffer>,
  failure: { readonly destination: string; readonly status: number; readonly data: Buffer },
): CloudEventV1<Buffer> {
  const { destination, status, data } = failure
  return {
    ...event,
    [ERROR_DESTINATION]: destination.slice(0, MAX_DESTINATION_CHARACTERS),
    [ERROR_CODE]: String(status),
    [ERROR_DATA]: data.subarray(0, MAX_ERROR_DATA_BYTES).toString('base64'),
  }
}
