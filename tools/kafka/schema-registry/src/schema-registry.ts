import type { RequestListener } from 'node:http'
import { httpAddress } from '@taproom/http'
import { createKafka, type KafkaSecurity } from '@taproom/messaging'
import { assemble, createLogger, type ListenOptions, type Logger, listen } from '@taproom/service'
import { createApp } from './http/app.ts'
import { Registry } from './registry/registry.ts'
import { SchemaLog } from './store/schema-log.ts'

export interface SchemaRegistryOptions {
  /** The Kafka that keeps the schemas: a comma-separated `host:port` list. */
  readonly bootstrapServers: string
  /** TLS and SASL of that Kafka. Default: neither. */
  readonly security?: KafkaSecurity
  /** Default 0: any free port. */
  readonly port?: number
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string
  /** Names of this machine, without ports, by which clients reach the registry; `localhost`, its own name and addresses need none. */
  readonly allowedHosts?: readonly string[]
  /** The topic with the schemas; created with one compacted partition when it is missing. Default `_schemas`. */
  readonly topic?: string
  /** For one record to be written and read back, in ms. Default 10000. */
  readonly timeoutMs?: number
  /** Further limits of connections and requests. */
  readonly http?: Omit<ListenOptions, 'port' | 'host'>
  /** Default: warnings and errors, as JSON on stdout. */
  readonly log?: Logger
}

/** A running registry; disposing of it closes the port and the connections to Kafka. */
export interface SchemaRegistry extends AsyncDisposable {
  /** For clients on this machine: what they call `schema.registry.url`. */
  readonly url: string
  readonly port: number
}

/**
 * Starts a schema registry with Confluent's HTTP API. It has read the whole topic when this resolves.
 *
 * @throws {RangeError} when `bootstrapServers` is not a `host:port` list
 * @throws {SchemaTopicError} when the topic is there and is not one compacted partition
 * @throws {ListenError} when the address cannot be had
 */
export function startSchemaRegistry(options: SchemaRegistryOptions): Promise<SchemaRegistry> {
  const { bootstrapServers, security, topic = '_schemas', timeoutMs = 10_000, http } = options
  const {
    host = '127.0.0.1',
    port = 0,
    allowedHosts = [],
    log = createLogger('schema-registry', { level: 'warn' }),
  } = options
  return assemble(async (use) => {
    const kafka = createKafka({ clientId: 'schema-registry', bootstrapServers, log, ...(security && { security }) })
    const records = use(await SchemaLog.open({ kafka, topic, timeoutMs, log }))
    const app: RequestListener = createApp({ registry: new Registry(records), log, names: [host, ...allowedHosts] })
    const server = use(await listen(app, { ...http, host, port }))
    return { port: server.port, url: httpAddress(host, server.port) }
  })
}
