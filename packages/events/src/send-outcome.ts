import type { CloudEventV1 } from 'cloudevents'
import type { EventHeaders } from './event-headers.ts'

/** The outcome of one attempt. */
export type SendOutcome = Delivered | NotDelivered

/** The subscriber took the event. */
export interface Delivered {
  readonly delivered: true
  readonly status: number
  /** The event in a 200, to be sent on to the broker. */
  readonly reply?: CloudEventV1<Buffer>
  /** The reply's headers, those of its attributes among them. */
  readonly headers?: EventHeaders
}

/** The subscriber did not take the event. */
export interface NotDelivered {
  readonly delivered: false
  /** Whether the same request may succeed later: 404, 408, 409, 429, 5xx, a broken reply, no response. */
  readonly retryable: boolean
  /** 502 when a 200 carried something other than an event; absent without an answer. */
  readonly status?: number
  /** For logs. */
  readonly reason: 'status' | 'invalid-reply' | 'timeout' | 'unreachable' | 'unsendable'
  /** From `Retry-After` on a 429 or 503; at most what a timer can wait (24.8 days). */
  readonly retryAfterMs?: number
  /** The answer's first bytes, at most 1024, for the dead letter's `knativeerrordata`. */
  readonly body?: Buffer
  /** Why there was no answer, at most 1024 characters. */
  readonly detail?: string
  /** The network error when there was no answer. */
  readonly cause?: unknown
}

/** The last attempt's outcome and the number of attempts. */
export type DeliveryOutcome = SendOutcome & { readonly attempts: number }
