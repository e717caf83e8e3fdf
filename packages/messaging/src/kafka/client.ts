import type { Log } from '@taproom/core/lines'
import type { BackOffOptions } from '@taproom/core/time'
import { type Kafka, type logCreator, logLevel, type RetryOptions } from '@taproom/kafkajs'
import { checkSecurity, type KafkaSecurity } from '../security/kafka-security.ts'
import { createSasl } from '../security/sasl-mechanism.ts'
import { type GroupTiming, groupTiming } from './group-timing.ts'
import { createKafkaSession, type KafkaSession } from './session.ts'

export interface KafkaOptions {
  /** Used in Kafka's logs and in generated group ids. */
  readonly clientId: string
  /** Comma-separated `host:port` list. */
  readonly bootstrapServers: string
  /**
   * How long Kafka keeps the session of a dead reader, and so its partitions, in ms. Default 6000; Kafka's `group.min.session.timeout.ms` must
   * allow less.
   */
  readonly sessionTimeoutMs?: number
  /** TLS and SASL. Default: neither. */
  readonly security?: KafkaSecurity
  readonly log: Log
}

/** A Kafka cluster to open channels on; has no connection itself. */
export interface KafkaClient {
  readonly clientId: string
  readonly log: Log
  readonly groupTiming: GroupTiming
  /** For everything that this package does not wrap. */
  readonly kafkajs: Kafka
  /** Creates a kafkajs client whose connections can be cut; each channel has its own. */
  openSession(): KafkaSession
}

/** Waits of a channel between attempts. */
export const RETRY_WAITS: BackOffOptions = { firstMs: 200, longestMs: 3000, jitter: 0.5 }

/**
 * Retries within one kafkajs call, about a second in all; for longer outages the channels create new clients. Always
 * passed, because kafkajs has other defaults under `NODE_ENV=test`.
 */
export const CALL_RETRIES: RetryOptions = {
  initialRetryTime: 50,
  maxRetryTime: 500,
  factor: 0.2,
  multiplier: 2,
  retries: 5,
}

/** No IPv6 addresses: kafkajs takes all before the first colon for the host. */
const SERVER = /^[^\s:,[\]]+:(\d{1,5})$/

/**
 * Describes a Kafka cluster; does not connect yet.
 * @throws {RangeError} when `bootstrapServers` is not a `host:port` list, `sessionTimeoutMs` is below 1000, or `security` contradicts itself
 */
export function createKafka(options: KafkaOptions): KafkaClient {
  const { clientId, log, security = {} } = options
  checkSecurity(security)
  const sasl = security.sasl && createSasl(security.sasl)
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
  const openSession = () => createKafkaSession({ ...config, ...(sasl && { sasl: sasl() }) }, security)
  return {
    clientId,
    log,
    groupTiming: groupTiming(options.sessionTimeoutMs),
    kafkajs: openSession().kafkajs,
    openSession,
  }
}

/**
 * Checks a comma-separated `host:port` list and returns it unchanged. Hosts are names or IPv4 addresses.
 * @throws {RangeError} when it is not one, naming the value
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

/** At debug level only: kafkajs logs every failed attempt as an error, and the channels log what matters themselves. */
function forwardLogs(log: Log): logCreator {
  return () => (entry) => {
    log.debug({ kafkajs: entry.namespace, detail: entry.log.message }, 'kafkajs')
  }
}
