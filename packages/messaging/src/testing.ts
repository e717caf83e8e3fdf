import type { IncomingChannel, IncomingOptions } from './incoming-channel.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'
import type { OutgoingChannel, OutgoingOptions } from './outgoing-channel.ts'
import type { TransformChannel, TransformOptions } from './transform-channel.ts'

/** Kafka's part in unit tests: channels over topics in memory, one partition each, no Kafka. */
export interface InMemoryConnector {
  openOutgoing(options: OutgoingOptions): OutgoingChannel
  openIncoming(options: IncomingOptions): IncomingChannel
  openTransform(options: TransformOptions): TransformChannel
  /** Writes one message as another service would. */
  publish(topic: string, message: OutgoingMessage): IncomingMessage
  /** Everything written to a topic so far. */
  messages(topic: string): readonly IncomingMessage[]
  /** Resolves when every open channel has handled everything written so far. */
  idle(): Promise<void>
  /** Plays Kafka's absence: sends overflow, readers rest, checks are DOWN. */
  setAvailable(available: boolean): void
}

/** Creates an empty in-memory Kafka for unit tests. */
export function createInMemoryConnector(): InMemoryConnector {
  throw new Error('not built yet')
}
