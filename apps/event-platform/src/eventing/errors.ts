import { PlatformError } from '../errors.ts'

/** Why an event is not accepted, and the status for its HTTP sender. */
const STATUSES = {
  BROKER_UNKNOWN: 404,
  /** The sender may not send this event to this broker. */
  EVENT_FORBIDDEN: 403,
  /** The broker cannot take events yet, or Kafka did not confirm in time: try again later. */
  BROKER_NOT_READY: 503,
  /** Too many bytes of events wait for Kafka: try again later. */
  BROKER_BUSY: 503,
  /** The event has passed too many brokers, most likely in a loop. */
  EVENT_TTL_EXPIRED: 400,
  /** Kafka refuses records of this size. */
  EVENT_TOO_LARGE: 413,
  /** Too many pass-through headers, or too large ones, to reach every subscriber. */
  EVENT_HEADERS_TOO_LARGE: 431,
} as const

/** The event is not accepted; HTTP senders get `status`. */
export class EventRefusedError extends PlatformError {
  readonly code: keyof typeof STATUSES

  constructor(code: keyof typeof STATUSES, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  get status(): (typeof STATUSES)[keyof typeof STATUSES] {
    return STATUSES[this.code]
  }
}
