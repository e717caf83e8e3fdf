/** Base class of all errors of this package. */
export abstract class MessagingError extends Error {
  override readonly name: string = this.constructor.name
  abstract readonly code: string
  readonly channel: string

  constructor(message: string, { channel, cause }: { readonly channel: string; readonly cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause })
    this.channel = channel
  }
}

/** The channel has no connection to Kafka; the message was not accepted. */
export class ChannelNotReadyError extends MessagingError {
  readonly code = 'CHANNEL_NOT_READY'
  readonly isTransient = true
}

/** `bufferSize` messages or `bufferBytes` bytes are already waiting; the message was not accepted. */
export class BufferFullError extends MessagingError {
  readonly code = 'CHANNEL_BUFFER_FULL'
  readonly isTransient = true
}

/** A field of the message is not what Kafka can store, or the message is larger than `bufferBytes`; nothing was sent. */
export class InvalidMessageError extends MessagingError {
  readonly code = 'CHANNEL_INVALID_MESSAGE'
}

/** Not confirmed within `timeoutMs`; it may still have been stored. */
export class SendTimeoutError extends MessagingError {
  readonly code = 'CHANNEL_SEND_TIMEOUT'
  readonly isTransient = true
}

/** Kafka refused the message for good (too large, invalid topic, not authorised); `cause` is its answer. */
export class SendRefusedError extends MessagingError {
  readonly code = 'CHANNEL_SEND_REFUSED'
}

/** The channel is being closed or is closed; the message was not confirmed. */
export class ChannelClosedError extends MessagingError {
  readonly code = 'CHANNEL_CLOSED'
}
