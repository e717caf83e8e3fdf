import type { HealthCheck } from '@taproom/core/health'
import type { MessagingError } from '../channel/errors.ts'
import type { OutgoingMessage } from '../channel/message.ts'
import type { Compression } from '../kafka/compression.ts'

/**
 * What `send` does with a message that cannot be written now.
 * - `drop`: resolves `{ accepted: false }` and counts it.
 * - `fail`: rejects at once; a message already being written is retried within `timeoutMs`.
 * - `buffer`: waits in a bounded buffer, at most `timeoutMs`, then rejects.
 */
export type Overflow = 'drop' | 'fail' | 'buffer'

export interface OutgoingOptions {
  /** Used in health checks and logs. */
  readonly channel: string
  /** Default: the channel's name. */
  readonly topic?: string
  /** Default `buffer`. */
  readonly overflow?: Overflow
  /** Most messages not yet confirmed. Default 1024. */
  readonly bufferSize?: number
  /** Most bytes of their keys, values and headers. Default 64 MiB. */
  readonly bufferBytes?: number
  /** Longest duration of a `send`, in milliseconds. Default 5000. */
  readonly timeoutMs?: number
  /** How the records of a request are compressed. Default `none`. */
  readonly compression?: Compression
}

export interface SendResult {
  /** true: Kafka confirmed the message (acks=all). false: it was dropped (`overflow: 'drop'` only). */
  readonly accepted: boolean
  /** Why it was dropped: a SendRefusedError has Kafka's answer as its `cause`. */
  readonly error?: MessagingError
}

/** Messages since the channel was opened. */
export interface OutgoingCounters {
  readonly sent: number
  /** Answered `{ accepted: false }`, but for those that count as failed. */
  readonly dropped: number
  /** Ended in a rejected `send`; whatever `overflow` is, also those that Kafka refused or that are larger than `bufferBytes`. */
  readonly failed: number
}

/** Writes messages to Kafka; closing it waits for messages in flight. */
export interface OutgoingChannel extends AsyncDisposable {
  /**
   * Writes one message; settles within `timeoutMs`. Messages are written in the order of the calls.
   * @throws {InvalidMessageError} when Kafka cannot store a field of the message, whatever `overflow` is
   * @throws {MessagingError} when the message is not confirmed, unless `overflow` is `drop`
   */
  send(message: OutgoingMessage): Promise<SendResult>
  /**
   * Readiness, `Kafka outgoing channel <name>`: UP while Kafka answers. After a message that Kafka refused, `lastRefusal` says why, until one
   * is stored: the channel takes others.
   */
  readonly check: HealthCheck
  readonly counters: OutgoingCounters
}
