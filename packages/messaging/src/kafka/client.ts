import type { BackOffOptions } from '@taproom/time'
import { type Kafka, type logCreator, logLevel, type RetryOptions } from 'kafkajs'
import type { MessagingLogger } from '../channel/logger.ts'
import { type GroupTiming, groupTiming } from './group-timing.ts'
import { createKafkaSession, type KafkaSession } from './session.ts'

/** Where Kafka is, and how this process presents itself. */
export interface KafkaOptions {
  /** Names this process in Kafka's logs and in generated group ids. */
  readonly clientId: string
  /** Comma-separated `host:port` list. */
  readonly bootstrapServers: string
  /**
   * How long Kafka keeps the session of a dead reader, and with it the reader's partitions, in ms. Default 6000; for less, Kafka's
   * `group.min.session.timeout.ms` must allow it.
   */
  readonly sessionTimeoutMs?: number
  readonly log: MessagingLogger
}

/** A Kafka cluster to open channels on; holds no connection itself. */
export interface KafkaClient {
  readonly clientId: string
  readonly log: MessagingLogger
  readonly groupTiming: GroupTiming
  /** For what this package does not wrap. */
  readonly kafkajs: Kafka
  /** Creates a kafkajs client whose connections can be cut; each channel has its own. */
  openSession(): KafkaSession
}

/** Waits between attempts of a channel, for as long as an outage lasts. */
export const RETRY_WAITS: BackOffOptions = { firstMs: 200, longestMs: 3000, jitter: 0.5 }

/**
 * Retries inside one kafkajs call, about a second in all. Always passed: kafkajs has other defaults
 * under `NODE_ENV=test`. For longer outages the channels build a new client.
 */
export const CALL_RETRIES: RetryOptions = {
  initialRetryTime: 50,
  maxRetryTime: 500,
  factor: 0.2,
  multiplier: 2,
  retries: 5,
}

const SERVER = /^(?:\[[0-9a-fA-F:.]+\]|[^\s:,[\]]+):(\d{1,5})$/

/**
 * Describes a Kafka cluster; connects to nothing yet.
 * @throws {RangeError} when `bootstrapServers` is no `host:port` list or `sessionTimeoutMs` below 1000
 */
export function createKafka(options: KafkaOptions): KafkaClient {
  const { clientId, log } = options
  const config = {
    clientId,
    brokers: serversOf(parseBootstrapServers(options.bootstrapServers)),
    connectionTimeout: 3000,
    authenticationTimeout: 5000,
    requestTimeout: 10_000,
    retry: CALL_RETRIES,
    logLevel: logLevel.WARN,
    logCreator: forwardLogs(log),
  }
  return {
    clientId,
    log,
    groupTiming: groupTiming(options.sessionTimeoutMs),
    kafkajs: createKafkaSession(config).kafkajs,
    openSession: () => createKafkaSession(config),
  }
}

/**
 * Checks a comma-separated `host:port` list and returns it as it is, for `createKafka`.
 * @throws {RangeError} when it is none, naming the value
 */
export function parseBootstrapServers(text: string): string {
  for (const server of serversOf(text)) {
    const port = Number(SERVER.exec(server)?.[1])
    if (!(port > 0 && port <= 65_535)) {
      throw new RangeError(`bootstrapServers must be a list of host:port, received ${JSON.stringify(text)}`)
    }
  }
  return text
}

function serversOf(list: string): string[] {
  return list.split(',').map((server) => server.trim())
}

/** kafkajs reports every failed attempt as an error; the channels report what matters, so its lines are debug. */
function forwardLogs(log: MessagingLogger): logCreator {
  return () => (entry) => {
    log.debug({ kafkajs: entry.namespace, detail: entry.log.message }, 'kafkajs')
  }
}
