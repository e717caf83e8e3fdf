import { PlatformError } from '../errors.ts'

/** A reason not to take an event: what a sender over HTTP is answered. */
export abstract class EventRefusedError extends PlatformError {
  abstract readonly status: 400 | 404 | 413 | 431 | 503
}

/** No such broker. */
export class UnknownBrokerError extends EventRefusedError {
  override readonly name = 'UnknownBrokerError'
  readonly code = 'ERR_UNKNOWN_BROKER'
  readonly status = 404
}

/** The broker is known and cannot take events yet, or Kafka did not confirm in time: worth trying again. */
export class BrokerNotReadyError extends EventRefusedError {
  override readonly name = 'BrokerNotReadyError'
  readonly code = 'ERR_BROKER_NOT_READY'
  readonly status = 503
}

/** The event has passed brokers too often; a loop, most likely. */
export class TtlExpiredError extends EventRefusedError {
  override readonly name = 'TtlExpiredError'
  readonly code = 'ERR_TTL_EXPIRED'
  readonly status = 400
}

/** Kafka does not take a record of this size. */
export class EventTooLargeError extends EventRefusedError {
  override readonly name = 'EventTooLargeError'
  readonly code = 'ERR_EVENT_TOO_LARGE'
  readonly status = 413
}

/** The event could not reach every subscriber: the headers that travel along with it are too many or too large. */
export class HeadersTooLargeError extends EventRefusedError {
  override readonly name = 'HeadersTooLargeError'
  readonly code = 'ERR_HEADERS_TOO_LARGE'
  readonly status = 431
}

/** As many bytes of events as may be held wait for Kafka already: worth trying again. */
export class BrokerBusyError extends EventRefusedError {
  override readonly name = 'BrokerBusyError'
  readonly code = 'ERR_BROKER_BUSY'
  readonly status = 503
}
