import type { CloudEvent, EventHeaders } from './cloud-event.ts'

/** What one attempt to hand an event to a subscriber came to. */
export type SendOutcome = Delivered | NotDelivered

/** The subscriber took the event. */
export interface Delivered {
  readonly delivered: true
  readonly status: number
  /** The event that came back with a 200, to be sent on to the broker. */
  readonly reply?: CloudEvent
  /** The headers it came back with, those of its attributes among them. */
  readonly headers?: EventHeaders
}

/** The subscriber did not take the event. */
export interface NotDelivered {
  readonly delivered: false
  /** Whether the same request may succeed later: 404, 408, 409, 429, 5xx, a broken reply, no response. */
  readonly retryable: boolean
  /** The subscriber's status; 502 when its 200 carried something that is no event; absent when there was no response. */
  readonly status?: number
  /** Why, in one constant phrase for logs. */
  readonly reason: 'status' | 'invalid-reply' | 'timeout' | 'unreachable' | 'unsendable'
  /** The wait asked for by `Retry-After` on a 429 or 503, at most as long as a timer can wait (24.8 days). */
  readonly retryAfterMs?: number
  /** The start of the answer's body, at most 1024 bytes: for the dead letter's `knativeerrordata`. */
  readonly body?: Buffer
  /** What happened when there was no answer, in words: at most 1024 characters. */
  readonly detail?: string
  /** The network error when there was no response. */
  readonly cause?: unknown
}

/** What delivering with retries came to: the last attempt's outcome and how many attempts were made. */
export type DeliveryOutcome = SendOutcome & { readonly attempts: number }
