import type { TopicAdmin } from '../admin/topic-admin.ts'
import type { KafkaClient } from '../kafka/client.ts'
import type { FanOutSubscriptionOptions } from './fan-out.ts'
import type { SharedMessage } from './shared-message.ts'

export interface CheckedOptions<T> extends FanOutSubscriptionOptions<T> {
  readonly concurrency: number
  readonly bufferBytes: number
  readonly graceMs: number
  /** Nothing is to be offered any more: it stays where it is. */
  onStopping(): void
  /** It has no messages in flight. */
  onClosed(): void
  /** It is to be asked about each message for now. */
  onChanged(): void
}

/** What it needs of whoever reads for all. */
export interface Reading<T> {
  readonly kafka: KafkaClient
  readonly topic: string
  readonly admin: TopicAdmin
  /** For storing offsets; its calls take three seconds at most, once sixteen others are done. */
  readonly commits: TopicAdmin
  /** The next offset that is offered to all; undefined while the partition is not read. */
  headOf(partition: number): bigint | undefined
  /** Reads from an offset on, and tells where to go on after that. */
  fetch(partition: number, from: bigint): Promise<{ readonly messages: SharedMessage<T>[]; readonly next: bigint }>
  /** Resolves when it is the caller's turn to go on: of those that read by themselves one in each turn of the event loop. */
  turn(): Promise<void>
}
