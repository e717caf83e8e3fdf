interface MessagingErrorOptions {
  readonly channel: string
  readonly cause?: unknown
}

/** Base of every error of this package; callers branch on `code`. */
export abstract class MessagingError extends Error {
  override readonly name: string = 'MessagingError'
  abstract readonly code: string
  /** Name of the channel that failed. */
  readonly channel: string

  constructor(message: string, options: MessagingErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.channel = options.channel
  }
}

/** The channel has no connection to Kafka, so the message was not taken. */
export class ChannelNotReadyError extends MessagingError {
  override readonly name = 'ChannelNotReadyError'
  readonly code = 'CHANNEL_NOT_READY'
}

/** As many messages as `bufferSize` allows already wait, or as many bytes as `bufferBytes` does; the message was not taken. */
export class BufferFullError extends MessagingError {
  override readonly name = 'BufferFullError'
  readonly code = 'BUFFER_FULL'
}

/** Not confirmed within `timeoutMs`; it may still have been stored. */
export class SendTimeoutError extends MessagingError {
  override readonly name = 'SendTimeoutError'
  readonly code = 'SEND_TIMEOUT'
}

/** Kafka refused the message for good (too large, invalid topic, not authorised); `cause` is its answer. */
export class SendRefusedError extends MessagingError {
  override readonly name = 'SendRefusedError'
  readonly code = 'SEND_REFUSED'
}

/** The channel is being closed or is closed; the message was not confirmed. */
export class ChannelClosedError extends MessagingError {
  override readonly name = 'ChannelClosedError'
  readonly code = 'CHANNEL_CLOSED'
}
