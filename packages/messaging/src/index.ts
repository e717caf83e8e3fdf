export { createTopicAdmin, type TopicAdmin } from './admin/topic-admin.ts'
export {
  BufferFullError,
  ChannelClosedError,
  ChannelNotReadyError,
  InvalidMessageError,
  MessagingError,
  SendRefusedError,
  SendTimeoutError,
} from './channel/errors.ts'
export type { FailureStrategy } from './channel/failure-strategy.ts'
export type { HeaderValue, IncomingMessage, OutgoingMessage } from './channel/message.ts'
export {
  type ChannelProperties,
  type IncomingDefaults,
  type IncomingProperties,
  type OutgoingDefaults,
  type OutgoingProperties,
  readIncoming,
  readOutgoing,
} from './channel-properties.ts'
export {
  type ConnectionDefaults,
  type ConnectionProperties,
  readConnection,
} from './connection/connection-properties.ts'
export type { PropertyReader } from './connection/property-reader.ts'
export type {
  FanOut,
  FanOutOptions,
  FanOutSubscription,
  FanOutSubscriptionOptions,
  NeededAttribute,
} from './fan-out/fan-out.ts'
export { openFanOut } from './fan-out/open-fan-out.ts'
export type {
  IncomingChannel,
  IncomingCounters,
  IncomingOptions,
} from './incoming/incoming-channel.ts'
export { openIncoming } from './incoming/open-incoming.ts'
export { isRefusal } from './kafka/broker-answer.ts'
export { createKafka, type KafkaClient, type KafkaOptions, parseBootstrapServers } from './kafka/client.ts'
export type { KafkaSession } from './kafka/session.ts'
export { openOutgoing } from './outgoing/open-outgoing.ts'
export type {
  OutgoingChannel,
  OutgoingCounters,
  OutgoingOptions,
  Overflow,
  SendResult,
} from './outgoing/outgoing-channel.ts'
export type {
  KafkaSasl,
  KafkaSecurity,
  KafkaTls,
  PasswordMechanism,
  Pem,
  TokenEndpoint,
  TokenProvider,
} from './security/kafka-security.ts'
export {
  createTransactionalWriter,
  type NumberedBatch,
  type TransactionalSession,
  type TransactionalWriter,
  type TransactionalWriterOptions,
  type WriteOutcome,
} from './transactional/transactional-writer.ts'
export { openTransform } from './transform/open-transform.ts'
export type { TransformChannel, TransformCounters, TransformOptions } from './transform/transform-channel.ts'
export { readTransform, type TransformDefaults, type TransformProperties } from './transform-properties.ts'
