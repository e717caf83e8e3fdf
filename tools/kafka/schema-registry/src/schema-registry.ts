import type { Log } from '@taproom/core/lines'
import { httpAddress } from '@taproom/http'
import { createKafka, type KafkaSecurity } from '@taproom/messaging'
import { createApp } from './http/app.ts'
import { answerError } from './http/error-answers.ts'
import { openServer } from './http/server.ts'
import { warningsOnStdout } from './log.ts'
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
  /** The option that adds to `allowedHosts`; the refusal of another host (421) names it. Default `allowedHosts`. */
  readonly allowedHostsFrom?: string
  /** The topic with the schemas; created with one compacted partition when it is missing. Default `_schemas`. */
  readonly topic?: string
  /** For one record to be written and read back, in ms. Default 10000. */
  readonly timeoutMs?: number
  /** Default: warnings and errors, as JSON on stdout. */
  readonly log?: Log
}

/** A running registry; disposing of it closes the port and the connections to Kafka. */
export interface SchemaRegistry extends AsyncDisposable {
  /** For clients on this machine: what they call `schema.registry.url`. */
  readonly url: string
  readonly port: number
  /**
   * Begins again with what is on the topic now, which it creates when it is missing: for tests that delete it. Requests wait until then.
   * Rejects with {@link SchemaTopicError} or an error of the connection; the next request tries again.
   */
  reload(): Promise<void>
}

/**
 * Starts a schema registry with Confluent's HTTP API. It has read the whole topic when this resolves.
 *
 * @throws {RangeError} when `bootstrapServers` is not a `host:port` list
 * @throws {SchemaTopicError} when the topic is there and is not one compacted partition
 * @throws {ListenError} when the address cannot be had
 */
export async function startSchemaRegistry(options: SchemaRegistryOptions): Promise<SchemaRegistry> {
  const { bootstrapServers, security, topic = '_schemas', timeoutMs = 10_000 } = options
  const { host = '127.0.0.1', port = 0, allowedHosts = [], log = warningsOnStdout } = options
  const { allowedHostsFrom: namesFrom = 'allowedHosts' } = options
  const kafka = createKafka({ clientId: 'schema-registry', bootstrapServers, log, ...(security && { security }) })
  const open = async () => {
    const records = await SchemaLog.open({ kafka, topic, timeoutMs, log })
    const names = [host, ...allowedHosts]
    return { records, app: createApp({ registry: new Registry(records), log, names, namesFrom }) }
  }
  let current = open()
  let isClosed = false
  /** Tries once more where a reload has failed. */
  const opened = () => {
    const last = current
    return last.catch(() => {
      if (current === last && !isClosed) current = open()
      return current
    })
  }
  const close = () =>
    current.then(
      ({ records }) => records[Symbol.asyncDispose](),
      () => {},
    )
  const { records } = await current
  try {
    const server = await openServer(
      (req, res) => {
        opened()
          .then(({ app }) => app(req, res))
          .catch((error: unknown) => answerError(error, req, res, log))
      },
      host,
      port,
    )
    return {
      port: server.port,
      url: httpAddress(host, server.port),
      async reload() {
        current = close().then(open)
        await current
      },
      async [Symbol.asyncDispose]() {
        isClosed = true
        await server[Symbol.asyncDispose]()
        await close()
      },
    }
  } catch (error) {
    await records[Symbol.asyncDispose]()
    throw error
  }
}
