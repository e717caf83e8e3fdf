import { PlatformError } from '../errors.ts'

/** The event is not accepted; HTTP senders get `status`. */
export abstract class EventRefusedError extends PlatformError {
  abstract readonly status: 400 | 404 | 413 | 431 | 503
}

export class UnknownBrokerError extends EventRefusedError {
  override readonly name = 'UnknownBrokerError'
  readonly code = 'BROKER_UNKNOWN'
  readonly status = 404
}

/** The broker cannot take events yet, or Kafka did not confirm in time: try again later. */
export class BrokerNotReadyError extends EventRefusedError {
  override readonly name = 'BrokerNotReadyError'
  readonly code = 'BROKER_NOT_READY'
  readonly status = 503
}

/** The event has passed too many brokers, most likely in a loop. */
export class TtlExpiredError extends EventRefusedError {
  override readonly name = 'TtlExpiredError'
  readonly code = 'EVENT_TTL_EXPIRED'
  readonly status = 400
}

/** Kafka refuses records of this size. */
export class EventTooLargeError extends EventRefusedError {
  override readonly name = 'EventTooLargeError'
  readonly code = 'EVENT_TOO_LARGE'
  readonly status = 413
}

/** Too many pass-through headers, or too large ones, to reach every subscriber. */
export class HeadersTooLargeError extends EventRefusedError {
  override readonly name = 'HeadersTooLargeError'
  readonly code = 'EVENT_HEADERS_TOO_LARGE'
  readonly status = 431
}

/** Too many bytes of events wait for Kafka: try again later. */
export class BrokerBusyError extends EventRefusedError {
  override readonly name = 'BrokerBusyError'
  readonly code = 'BROKER_BUSY'
  readonly status = 503
}
