/** Base of every error this package throws; callers branch on `code`. */
export abstract class EmbeddedKafkaError extends Error {
  abstract readonly code: string
}

/** A frame that cannot be read; its connection is closed. */
export class MalformedFrameError extends EmbeddedKafkaError {
  override readonly name = 'MalformedFrameError'
  readonly code = 'EMBEDDED_KAFKA_MALFORMED_FRAME'
}

/** A client uses more of the broker's time or memory than it may; its connection is closed. */
export class ConnectionLimitError extends EmbeddedKafkaError {
  override readonly name = 'ConnectionLimitError'
  readonly code = 'EMBEDDED_KAFKA_CONNECTION_LIMIT'
}

/** A client is not let in by SASL, or asks for something before it is; its connection is closed. */
export class AuthenticationError extends EmbeddedKafkaError {
  override readonly name = 'AuthenticationError'
  readonly code = 'EMBEDDED_KAFKA_AUTHENTICATION'
}

/** A client and the broker do not agree on TLS, or on the client's certificate; its connection is closed. */
export class TlsHandshakeError extends EmbeddedKafkaError {
  override readonly name = 'TlsHandshakeError'
  readonly code = 'EMBEDDED_KAFKA_TLS'
}

/** The broker cannot listen on its address: in use, or not of this machine. */
export class ListenError extends EmbeddedKafkaError {
  override readonly name = 'ListenError'
  readonly code = 'EMBEDDED_KAFKA_LISTEN'
}

/** An option or environment variable outside its documented range. */
export class OptionError extends EmbeddedKafkaError {
  override readonly name = 'OptionError'
  readonly code = 'EMBEDDED_KAFKA_OPTION'
}

/** The data directory is used by another broker, or cannot be locked. */
export class DataDirError extends EmbeddedKafkaError {
  override readonly name = 'DataDirError'
  readonly code = 'EMBEDDED_KAFKA_DATA_DIR'
}

/** What a test asked of the control API cannot be; `field` is what is wrong with it. */
export class ControlError extends EmbeddedKafkaError {
  override readonly name = 'ControlError'
  readonly code = 'EMBEDDED_KAFKA_CONTROL'
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** What a test waits for has not come in time. */
export class WaitError extends EmbeddedKafkaError {
  override readonly name = 'WaitError'
  readonly code = 'EMBEDDED_KAFKA_WAIT'
}

/** True when a connection ended by the client's fault, not the broker's. */
export function isClientFault(error: unknown): boolean {
  return [MalformedFrameError, ConnectionLimitError, AuthenticationError, TlsHandshakeError].some(
    (type) => error instanceof type,
  )
}
