import type { HealthCheck } from '@taproom/core/health'
import type { FailureStrategy } from '../channel/failure-strategy.ts'
import type { IncomingMessage } from '../channel/message.ts'

export interface IncomingOptions {
  /** Used in health checks and logs. */
  readonly channel: string
  /** Default: the channel's name. */
  readonly topic?: string
  /** Default: a generated group of its own, deleted when the channel is closed, so that this reader gets every message. */
  readonly groupId?: string
  /** Where a group without a stored offset begins. Default `latest`: what is written after `assigned` resolved. */
  readonly from?: 'latest' | 'earliest'
  /** Most messages in flight. Default 1: one after another, in the order of each partition. */
  readonly concurrency?: number
  /**
   * Most bytes of keys, values and headers in flight; a larger message is in flight alone. Default 64 MiB. Up to 8 MiB more are fetched, or
   * one batch of each partition if that is larger.
   */
  readonly bufferBytes?: number
  /** Default `fail`. */
  readonly failureStrategy?: FailureStrategy
  /** Default `dead-letter-topic-<channel>`. */
  readonly deadLetterTopic?: string
  /** How often acknowledged offsets are stored, in milliseconds. Default 1000. */
  readonly commitIntervalMs?: number
  /** Time for handlers in flight when the channel is closed, in milliseconds. Default 5000. */
  readonly graceMs?: number
  /**
   * Handles one message, which is acknowledged when this returns. At least once: unacknowledged messages come again after
   * a crash or a rebalance. `signal` aborts when the result no longer counts (the grace is over, or another member has the
   * partition).
   *
   * An error with `isTransient: true` says that no message can be handled now, as while a database is away: the message is handled again
   * after 200 ms, and after longer waits of up to 3 s, without a limit; readiness is DOWN meanwhile. `failureStrategy` decides about all
   * other errors.
   */
  onMessage(message: IncomingMessage, signal: AbortSignal): Promise<void> | void
}

/** Messages since the channel was opened. */
export interface IncomingCounters {
  /** Passed to `onMessage`. */
  readonly received: number
  /** Including those ignored or written to the dead-letter topic. */
  readonly acknowledged: number
  /** `onMessage` failed. */
  readonly failed: number
  /** Could not be decoded; of a batch that cannot be, all its records. */
  readonly unreadable: number
  readonly deadLettered: number
  /** Consumers replaced after a failure. */
  readonly restarts: number
}

/** Reads messages from Kafka; closing it lets handlers finish, stores offsets and leaves the group. */
export interface IncomingChannel extends AsyncDisposable {
  readonly groupId: string
  /** Resolves at the first assignment; messages written after that are read. Never rejects. */
  readonly assigned: Promise<void>
  /** Readiness, `Kafka incoming channel <name>`: UP while heartbeats are answered, and during a rebalance. DOWN after a transient failure. */
  readonly check: HealthCheck
  /**
   * Liveness, same name: DOWN after a failure with the strategy `fail`. Its data say how many records could not be decoded (`unreadable`), and
   * where and why the last one could not (`lastUnreadable`).
   */
  readonly liveness: HealthCheck
  readonly counters: IncomingCounters
}
