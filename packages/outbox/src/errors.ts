/** Base class of all errors of this package. */
export abstract class OutboxError extends Error {
  override readonly name: string = this.constructor.name
  abstract readonly code: string
  readonly channel: string

  constructor(message: string, channel: string) {
    super(`${message}: outbox ${channel}`)
    this.channel = channel
  }
}

/**
 * `maxWaiting` messages wait already. Let it end the transaction: \@taproom/service answers a request by its `status`, and a channel of
 * \@taproom/messaging waits and passes the message again, because it `isTransient`.
 */
export class OutboxFullError extends OutboxError {
  readonly code = 'OUTBOX_FULL'
  readonly status = 503
  readonly isTransient = true
}

/** A field of the message is of another kind or too large; the error's message names it. */
export class OutboxMessageError extends OutboxError {
  readonly code = 'OUTBOX_INVALID_MESSAGE'
}
