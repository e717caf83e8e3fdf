import type { ChannelCheck } from '../channel/check.ts'
import type { OutgoingMessage } from '../channel/message.ts'

/**
 * What `send` does with a message that cannot be written now.
 * - `drop`: resolves `{ accepted: false }` and counts it.
 * - `fail`: rejects at once; a message already under way is tried again within `timeoutMs`.
 * - `buffer`: waits in a bounded buffer, at most `timeoutMs`, then rejects.
 */
export type Overflow = 'drop' | 'fail' | 'buffer'

/** How an outgoing channel is set up. */
export interface OutgoingOptions {
  /** Name in health checks and logs. */
  readonly channel: string
  /** Default: the channel's name. */
  readonly topic?: string
  /** Default `buffer`. */
  readonly overflow?: Overflow
  /** Messages sent and not yet confirmed, at most. Default 1024. */
  readonly bufferSize?: number
  /** Bytes of their keys, values and headers, at most; a message beyond them is refused as one beyond `bufferSize`. Default 64 MiB. */
  readonly bufferBytes?: number
  /** How long a `send` takes at most, whatever Kafka does, in milliseconds. Default 5000. */
  readonly timeoutMs?: number
}

/** The answer of `send`. */
export interface SendResult {
  /** true: Kafka confirmed the message (acks=all). false: it was dropped (`overflow: 'drop'` only). */
  readonly accepted: boolean
}

/** Messages since the channel was opened. */
export interface OutgoingCounters {
  /** Confirmed by Kafka. */
  readonly sent: number
  /** Answered `{ accepted: false }`. */
  readonly dropped: number
  /** Ended in a rejected `send`. */
  readonly failed: number
}

/** Writes messages to Kafka; closing it waits for what is in flight. */
export interface OutgoingChannel extends AsyncDisposable {
  /**
   * Writes one message; settles within `timeoutMs`. Messages are written in the order of the calls.
   * @throws {MessagingError} with `overflow` `fail` or `buffer`, when the message is not confirmed
   */
  send(message: OutgoingMessage): Promise<SendResult>
  /** Readiness, `Kafka outgoing channel <name>`: UP while Kafka answers. */
  readonly check: ChannelCheck
  readonly counters: OutgoingCounters
}
