/** Messages that are delivered together. */
export interface Batch {
  /** Higher than the number of each batch before. */
  readonly number: number
  /** At least one. */
  readonly messages: readonly StoredMessage[]
}

/** A message as the table has it. */
export interface StoredMessage {
  readonly key: string | null
  readonly value: Buffer | null
  readonly headers: Readonly<Record<string, string>>
  /** When it was sent, in milliseconds since the epoch. */
  readonly timestamp: number
}

/** The outcome of one message. */
export type Outcome =
  | { readonly state: 'delivered' }
  /** The destination will never take it. */
  | { readonly state: 'refused'; readonly reason: string }
  /** Not delivered, as far as is known: it is sent again. */
  | { readonly state: 'waiting'; readonly reason: string }

/** Where an outbox delivers to. */
export interface Destination {
  /** Takes over from earlier sessions with the same destination, also those of other processes. `outboxId` is the same in all instances. */
  open(outbox: { readonly outboxId: string }): Promise<DestinationSession>
}

/** The only session that may write. */
export interface DestinationSession extends AsyncDisposable {
  /**
   * The number of the last batch of this outbox that the destination has, 0 for none. No batch of an earlier session can become the last one
   * later. Undefined for a destination that does not know: its messages may be delivered again after a failure.
   */
  readonly last: number | undefined
  /**
   * Delivers a batch. A destination with `last` takes all of it or nothing: when it refuses one message, all outcomes are `refused`, and the
   * outbox tries fewer.
   *
   * @returns one outcome for each message
   * @throws when the outcome is unknown: the outbox opens another session
   */
  write(batch: Batch, signal: AbortSignal): Promise<readonly Outcome[]>
}
