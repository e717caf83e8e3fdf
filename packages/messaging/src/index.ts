export {
  type ChannelProperties,
  type IncomingDefaults,
  type IncomingProperties,
  type OutgoingDefaults,
  type OutgoingProperties,
  type PropertyReader,
  readIncoming,
  readOutgoing,
} from './channel-properties.ts'
export type { ChannelCheck, ChannelCheckOutcome } from './check.ts'
export {
  BufferFullError,
  ChannelClosedError,
  ChannelNotReadyError,
  MessagingError,
  SendRefusedError,
  SendTimeoutError,
} from './errors.ts'
export type { FailureStrategy, IncomingChannel, IncomingCounters, IncomingOptions } from './incoming-channel.ts'
export { createKafka, type KafkaClient, type KafkaOptions, parseBootstrapServers } from './kafka.ts'
export { isRefusal } from './kafka-failure.ts'
export type { KafkaSession } from './kafka-session.ts'
export type { MessagingLogger } from './logger.ts'
export type { IncomingMessage, OutgoingMessage } from './message.ts'
export { openIncoming } from './open-incoming.ts'
export { openOutgoing } from './open-outgoing.ts'
export { openTransform } from './open-transform.ts'
export type { OutgoingChannel, OutgoingCounters, OutgoingOptions, Overflow, SendResult } from './outgoing-channel.ts'
export { createTopicAdmin, type TopicAdmin } from './topic-admin.ts'
export type { TransformChannel, TransformCounters, TransformOptions } from './transform-channel.ts'
