import type { HealthCheck } from '@taproom/core/health'
import type { FailureStrategy } from '../channel/failure-strategy.ts'
import type { IncomingMessage, OutgoingMessage } from '../channel/message.ts'
import type { Compression } from '../kafka/compression.ts'

export interface TransformOptions {
  /** Used in health checks and logs. */
  readonly channel: string
  readonly inputTopic: string
  readonly outputTopic: string
  /** Consumer group; must stay the same over restarts. */
  readonly groupId: string
  /**
   * Prefix of the transactional ids; must be the same over restarts and in all instances of the group. Each input
   * partition has the id `<transactionalId>-<partition>`, so its newest owner fences earlier ones.
   */
  readonly transactionalId: string
  /** Where a group without stored offsets begins. Default `earliest`. */
  readonly from?: 'latest' | 'earliest'
  /** Most messages in one transaction. Default 2000. */
  readonly batchSize?: number
  /**
   * The longest that messages are transformed for one transaction: the next begins after the message that is in hand then. A transaction never
   * waits for more messages. Default 100 ms, as in Kafka Streams (`commit.interval.ms` with `exactly_once_v2`).
   */
  readonly commitIntervalMs?: number
  /** A transaction ends when its outputs have this many bytes of keys, values and headers. Default 64 MiB. */
  readonly bufferBytes?: number
  /**
   * Decides about a message when `transform` throws, rejects or returns an invalid message, when Kafka refuses the outputs as too large, and
   * when records cannot be decoded. The strategies are those of incoming channels, and exactly once holds. Default `fail`: earlier messages
   * are committed, and the channel stops.
   */
  readonly failureStrategy?: FailureStrategy
  /** How the records of outputs and dead letters are compressed. Default `none`. */
  readonly compression?: Compression
  /** Written in the transaction. Default `dead-letter-topic-<channel>`. */
  readonly deadLetterTopic?: string
  /**
   * Returns the outputs of one input message; [] skips it. Must have no side effects: it is called again for the same
   * message when its transaction was aborted, and after an error with `isTransient: true`, as that of an incoming channel.
   */
  transform(message: IncomingMessage): readonly OutgoingMessage[] | Promise<readonly OutgoingMessage[]>
}

/** Messages since the channel was opened. */
export interface TransformCounters {
  /** Input messages of committed transactions. */
  readonly consumed: number
  /** Output messages of committed transactions. */
  readonly produced: number
  /** Input messages for which `transform` returned []. */
  readonly skipped: number
  /** Input records that could not be decoded; of a batch that cannot be, all. */
  readonly unreadable: number
  /** Input messages whose outputs Kafka refused. */
  readonly refused: number
  /** Input messages for which `transform` failed. */
  readonly failed: number
  /** Input messages written to the dead-letter topic. */
  readonly deadLettered: number
  /** Transactions that failed and were retried. */
  readonly aborted: number
  /** Consumers replaced after a failure. */
  readonly restarts: number
}

/** Reads, transforms and writes exactly once for `read_committed` readers. */
export interface TransformChannel extends AsyncDisposable {
  /** Resolves when the first assigned partition is being read. Never rejects. */
  readonly assigned: Promise<void>
  /** Readiness, `Kafka transform channel <name>`: as that of an incoming channel. */
  readonly check: HealthCheck
  /** Liveness, same name and data as that of an incoming channel: DOWN after a failure with the strategy `fail`. */
  readonly liveness: HealthCheck
  readonly counters: TransformCounters
}
