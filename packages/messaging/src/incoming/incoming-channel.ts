import type { ChannelCheck } from '../channel/check.ts'
import type { IncomingMessage } from '../channel/message.ts'

/**
 * What happens when `onMessage` fails. A record that cannot be decoded (its batch is of an unknown format or compression or more than
 * 16 MiB when decompressed, its lengths are wrong, it has more than 1000 headers) never reaches `onMessage` and never stops the channel:
 * it is logged, counted, and with `dead-letter-queue` written to the dead-letter topic, its value what could not be decoded.
 * - `fail`: the channel stops, its liveness is DOWN, the message is read again after a restart.
 * - `ignore`: logged, counted, acknowledged.
 * - `dead-letter-queue`: written to the dead-letter topic with its origin and reason as headers, then acknowledged.
 */
export type FailureStrategy = 'fail' | 'ignore' | 'dead-letter-queue'

/** How an incoming channel is set up. */
export interface IncomingOptions {
  /** Name in health checks and logs. */
  readonly channel: string
  /** Default: the channel's name. */
  readonly topic?: string
  /** Default: a unique generated group, deleted when the channel is closed; every such reader sees every message. */
  readonly groupId?: string
  /** Where a group without a stored offset begins. Default `latest`: what is written after `assigned` resolved. */
  readonly from?: 'latest' | 'earliest'
  /** Messages in flight at most. Default 1: one after another, in the order of each partition. */
  readonly concurrency?: number
  /**
   * Bytes of the keys, values and headers in flight, at most; a larger message is in flight alone. Default 64 MiB. Fetched beside them
   * are 8 MiB, and one batch of each partition if that is larger.
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
   * Handles one message; it is acknowledged when this returns. At least once: after a crash or a rebalance the
   * unacknowledged ones come again. `signal` aborts when the result no longer counts (the grace is over, or
   * another member has the partition).
   */
  onMessage(message: IncomingMessage, signal: AbortSignal): Promise<void> | void
}

/** Messages since the channel was opened. */
export interface IncomingCounters {
  /** Handed to `onMessage`. */
  readonly received: number
  /** Acknowledged, the ignored and dead-lettered ones included. */
  readonly acknowledged: number
  /** `onMessage` failed. */
  readonly failed: number
  /** Could not be decoded, so `onMessage` never saw them. */
  readonly unreadable: number
  /** Written to the dead-letter topic. */
  readonly deadLettered: number
  /** Times the consumer was rebuilt after a failure. */
  readonly restarts: number
}

/** Reads messages from Kafka; closing it lets handlers finish, stores offsets and leaves the group. */
export interface IncomingChannel extends AsyncDisposable {
  readonly groupId: string
  /** Resolves at the first assignment: what is written from then on is seen. Never rejects. */
  readonly assigned: Promise<void>
  /** Readiness, `Kafka incoming channel <name>`: UP while heartbeats are answered; a rebalance alone is not DOWN. */
  readonly check: ChannelCheck
  /** Liveness, same name: DOWN after a failure with the strategy `fail`. */
  readonly liveness: ChannelCheck
  readonly counters: IncomingCounters
}
