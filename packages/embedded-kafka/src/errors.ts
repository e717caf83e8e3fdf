/** Base of every error this package throws; callers branch on `code`. */
export abstract class EmbeddedKafkaError extends Error {
  abstract readonly code: string
}

/** A frame that cannot be read as the protocol; the connection it came from is closed. */
export class MalformedFrameError extends EmbeddedKafkaError {
  override readonly name = 'MalformedFrameError'
  readonly code = 'EMBEDDED_KAFKA_MALFORMED_FRAME'
}

/** The broker cannot listen on the address it was given (in use, or not of this machine). */
export class ListenError extends EmbeddedKafkaError {
  override readonly name = 'ListenError'
  readonly code = 'EMBEDDED_KAFKA_LISTEN'
}

/** An option or environment variable outside its documented range. */
export class OptionError extends EmbeddedKafkaError {
  override readonly name = 'OptionError'
  readonly code = 'EMBEDDED_KAFKA_OPTION'
}

/** The data directory is held by another live broker, or holds something this version cannot read. */
export class DataDirError extends EmbeddedKafkaError {
  override readonly name = 'DataDirError'
  readonly code = 'EMBEDDED_KAFKA_DATA_DIR'
}
