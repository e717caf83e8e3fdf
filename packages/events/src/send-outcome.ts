import type { CloudEvent } from './cloud-event.ts'

/** What one attempt to hand an event to a subscriber came to. */
export type SendOutcome = Delivered | NotDelivered

/** The subscriber took the event. */
export interface Delivered {
  readonly delivered: true
  readonly status: number
  /** The event that came back with a 200, to be sent on to the broker. */
  readonly reply?: CloudEvent
}

/** The subscriber did not take the event. */
export interface NotDelivered {
  readonly delivered: false
  /** Whether the same request may succeed later: 404, 408, 409, 429, 5xx, a broken reply, no response. */
  readonly retryable: boolean
  /** The subscriber's status; 502 when its 200 carried something that is no event; absent when there was no response. */
  readonly status?: number
  /** Why, in one constant phrase for logs. */
  readonly reason: 'status' | 'invalid-reply' | 'timeout' | 'unreachable'
  /** The wait asked for by `Retry-After` on a 429 or 503. */
  readonly retryAfterMs?: number
  /** The start of the answer's body, at most 1024 characters: for the dead letter's `knativeerrordata`. */
  readonly body?: string
  /** The network error when there was no response. */
  readonly cause?: unknown
}

/** What delivering with retries came to: the last attempt's outcome and how many attempts were made. */
export type DeliveryOutcome = SendOutcome & { readonly attempts: number }
