import { Kafka } from 'kafkajs'
import type { MessagingLogger } from './logger.ts'

/** How Kafka is reached. */
export interface KafkaOptions {
  /** Names this process in Kafka's logs and in generated group ids. */
  readonly clientId: string
  /** Comma-separated `host:port` list. */
  readonly bootstrapServers: string
  readonly log: MessagingLogger
}

/** What the channels are opened on; holds no connection itself. */
export interface KafkaClient {
  readonly clientId: string
  readonly log: MessagingLogger
  /** For what this package does not wrap. */
  readonly kafkajs: Kafka
}

/**
 * Describes a Kafka cluster; connects to nothing yet.
 * @throws {RangeError} when `bootstrapServers` is no `host:port` list
 */
export function createKafka(options: KafkaOptions): KafkaClient {
  const brokers = options.bootstrapServers.split(',').map((server) => server.trim())
  return { clientId: options.clientId, log: options.log, kafkajs: new Kafka({ clientId: options.clientId, brokers }) }
}
