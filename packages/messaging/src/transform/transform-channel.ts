import type { ChannelCheck } from '../channel/check.ts'
import type { IncomingMessage, OutgoingMessage } from '../channel/message.ts'

/** How a transform channel is set up. */
export interface TransformOptions {
  /** Name in health checks and logs. */
  readonly channel: string
  readonly inputTopic: string
  readonly outputTopic: string
  /** Consumer group, stable over restarts. */
  readonly groupId: string
  /**
   * Prefix of the transactional ids, stable over restarts and the same in all instances of the group: each input
   * partition has the id `<transactionalId>-<partition>`, so its newest owner fences every earlier one.
   */
  readonly transactionalId: string
  /** Where a group without stored offsets begins. Default `earliest`. */
  readonly from?: 'latest' | 'earliest'
  /** Messages in one transaction at most. Default 500. */
  readonly batchSize?: number
  /** Bytes of keys, values and headers that the outputs of one transaction may have before it ends. Default 64 MiB. */
  readonly bufferBytes?: number
  /**
   * The messages that one input message becomes; [] skips it. May be called again for the same message when its
   * transaction was aborted, so it must have no other effect. A rejection aborts the transaction and is retried
   * with a back-off for ever, so catch what a malformed message throws. Outputs that Kafka refuses (too large) are not
   * retried: their message is set aside. So is one that cannot be decoded, which is never passed to `transform`.
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
  /** Input messages that could not be decoded; set aside. */
  readonly unreadable: number
  /** Input messages whose outputs Kafka refused; set aside. */
  readonly refused: number
  /** Transactions that failed and were done again. */
  readonly aborted: number
  /** Times the consumer was rebuilt after a failure. */
  readonly restarts: number
}

/** Reads, transforms and writes exactly once for `read_committed` readers. */
export interface TransformChannel extends AsyncDisposable {
  /** Resolves when the first assigned partition is being read. Never rejects. */
  readonly assigned: Promise<void>
  /** Readiness, `Kafka transform channel <name>`. */
  readonly check: ChannelCheck
  readonly counters: TransformCounters
}
