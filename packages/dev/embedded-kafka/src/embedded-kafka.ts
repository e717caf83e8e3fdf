import { type Broker, type BrokerLimits, openBroker } from './broker/broker.ts'
import { type Control, createControl } from './control/control.ts'
import { listenForControl } from './control/control-server.ts'
import { OptionError } from './errors.ts'
import type { OnConnectionError } from './network/connection.ts'
import { HeldBytes } from './network/held-bytes.ts'
import { type ListenerAddress, type Listeners, type ListenOptions, listen } from './network/listener.ts'
import { isHostAndPort, planListeners } from './network/listener-plan.ts'
import { planAuthorizer } from './security/acl/authorizer-settings.ts'
import type { ScramName } from './security/sasl/scram.ts'
import { readScramUsers } from './security/scram-users.ts'
import { SecurityProperties } from './security/security-properties.ts'
import type { OnDamage } from './storage/damage.ts'
import { createWanted, type TopicOption } from './topics/wanted-topics.ts'

/** All have defaults that suit a test. */
export interface EmbeddedKafkaOptions {
  /** Address to listen on; default `127.0.0.1`. With `port` the short form of one listener, PLAINTEXT. */
  readonly host?: string
  /** Port to listen on; default 0: any free one. */
  readonly port?: number
  /** `host:port` that clients are told instead of what they reached: behind a published port, a tunnel or a proxy. For one listener. */
  readonly advertise?: string
  /**
   * Instead of `host` and `port`: listeners with names, as Apache Kafka's `listeners`. An empty host is all addresses of this machine.
   * @example 'PLAINTEXT://127.0.0.1:9092,EXTERNAL://0.0.0.0:9094'
   */
  readonly listeners?: string
  /**
   * What clients of these listeners are told, as Apache Kafka's `advertised.listeners`. A host that is empty, a port that is 0 and a
   * listener that is not named give clients what they reached.
   * @example 'EXTERNAL://broker.example:19094'
   */
  readonly advertisedListeners?: string
  /**
   * As Apache Kafka's `listener.security.protocol.map`, of PLAINTEXT, SSL, SASL_PLAINTEXT and SASL_SSL. Default: a listener that is named
   * after one of them has it, all others are PLAINTEXT.
   */
  readonly listenerSecurityProtocolMap?: string
  /**
   * TLS and SASL: Apache Kafka's `ssl.…`, `sasl.…`, `connections.max.reauth.ms` and `connection.failed.authentication.delay.ms` under
   * these names, with `listener.name.{name}.` in front for one listener; stores are PEM. ACLs: `authorizer.class.name`, `super.users` and
   * `allow.everyone.if.no.acl.found`. What is not known is refused.
   * @example { 'ssl.keystore.type': 'PEM', 'ssl.keystore.location': '/tls/broker.pem', 'sasl.enabled.mechanisms': 'SCRAM-SHA-512' }
   */
  readonly security?: Readonly<Record<string, string>>
  /**
   * Users of SCRAM, as `kafka-storage.sh format --add-scram` takes them, several with commas. Who has a password already, keeps it.
   * @example 'SCRAM-SHA-512=[name=alice,password=secret]'
   */
  readonly addScram?: string
  /** Folder for topics, records, offsets and transactions; undefined: in memory, gone with the process. */
  readonly dataDir?: string
  /** Topics that are there from the start, by name or with partitions and settings; those of the `dataDir` stay as they are. Default: none. */
  readonly topics?: readonly (string | TopicOption)[]
  /** Partitions of topics that are created without a number of them, 1 to 200; default 1. */
  readonly defaultPartitions?: number
  /** Create topics when clients first ask for them; default true. */
  readonly autoCreateTopics?: boolean
  /** How long the cleaner of compacted topics rests in between, in milliseconds; default 15000, as Apache Kafka's. */
  readonly cleanerBackoffMs?: number
  /** Largest request in bytes; default 104857600 (100 MiB), as Apache Kafka's `socket.request.max.bytes`. */
  readonly maxFrameBytes?: number
  /** Bytes of requests and answers that all connections may hold; above, the one that holds most is closed. Default 268435456 (256 MiB). */
  readonly maxHeldBytes?: number
  /** How long a request may take to arrive and an answer to be read, in milliseconds, before the connection is closed; default 30000. */
  readonly slowClientMs?: number
  /** Connections without a request for this many milliseconds are closed; default 600000, as Apache Kafka's `connections.max.idle.ms`. */
  readonly idleMs?: number
  /** Bytes of records without a `dataDir`; beyond it the oldest are dropped, in the largest partition first. Default 1073741824 (1 GiB). */
  readonly maxStoredBytes?: number
  /** Connections beyond this are closed at once; default 1000. */
  readonly maxConnections?: number
  /** Partitions of all topics together; default 4000. */
  readonly maxPartitions?: number
  /** Consumer groups; default 10000. */
  readonly maxGroups?: number
  /** Serves the control API by HTTP on this port, 0 is any free one; default: it is not served. */
  readonly controlPort?: number
  /** Address of the control API; default `127.0.0.1`. Whoever reaches it controls the broker. */
  readonly controlHost?: string
  /** Called with each damaged file of the data folder, and its new place. */
  readonly onDamage?: OnDamage
  /** Called when a connection is closed because of an error. */
  readonly onConnectionError?: OnConnectionError
}

/** A running broker. Closing it, which is disposing of it, ends all connections and closes all files; it is idempotent. */
export interface EmbeddedKafka extends AsyncDisposable {
  /** Of the first listener, as are `port` and `bootstrapServers`. */
  readonly host: string
  readonly port: number
  /** `host:port`, for clients of this machine. */
  readonly bootstrapServers: string
  /** All of them, where they listen. */
  readonly listeners: readonly ListenerAddress[]
  /** Has things go wrong, moves time, and waits for commits: what tests need and no broker has. */
  readonly control: Control
  /** Of the control API; undefined where it is not served. */
  readonly controlPort: number | undefined
  close(): Promise<void>
  /** Gives a user this password for SCRAM, instead of the one there may be. */
  setScramPassword(user: string, mechanism: ScramName, password: string): void
}

/** Two of the largest batches. */
const MIN_STORED_BYTES = 4_194_304
const MAX_GROUP_MEMBERS = 1000
const MAX_TRANSACTIONAL_IDS = 10_000

function whole(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new OptionError(`${name} must be a whole number from ${min} to ${max}, got ${value}`)
}

/** @throws {OptionError} when they are wrong, with everything that is */
function listenersOf(options: EmbeddedKafkaOptions) {
  const { host = '127.0.0.1', listeners, advertise, advertisedListeners, listenerSecurityProtocolMap } = options
  const port = whole('port', options.port ?? 0, 0, 65_535)
  const problems: string[] = []
  if (listeners !== undefined && (options.host !== undefined || options.port !== undefined)) {
    problems.push(`listeners must not be given together with host or port; got "${listeners}"`)
  }
  if (advertise !== undefined && (listeners !== undefined || advertisedListeners !== undefined)) {
    problems.push(`advertise must not be given together with listeners or advertisedListeners; got "${advertise}"`)
  }
  const isWrong = advertise !== undefined && !isHostAndPort(advertise)
  if (isWrong) problems.push(`advertise must be host:port, an IPv6 address in brackets; got "${advertise}"`)
  const advertised =
    advertise === undefined || isWrong
      ? { name: 'advertisedListeners', value: advertisedListeners }
      : { name: 'advertise', value: `PLAINTEXT://${advertise}` }
  const security = new SecurityProperties(options.security ?? {})
  const plans = planListeners(
    {
      listeners: { name: 'listeners', value: listeners },
      host,
      port,
      advertisedListeners: advertised,
      protocolMap: { name: 'listenerSecurityProtocolMap', value: listenerSecurityProtocolMap },
      security,
    },
    problems,
  )
  const authorizer = planAuthorizer(security, problems)
  const scramUsers = readScramUsers({ name: 'addScram', value: options.addScram }, problems)
  if (problems.length > 0) throw new OptionError(problems.join('; '))
  return { plans, scramUsers, authorizer }
}

/**
 * Starts a Kafka broker in this process and resolves when clients can connect.
 * @throws {OptionError} when an option is out of its range
 * @throws {ListenError} when the port is taken
 * @throws {DataDirError} when another broker uses the folder
 *
 * @example
 * await using kafka = await startEmbeddedKafka({ topics: ['beers', { name: 'orders', partitions: 3 }] })
 * const client = new Kafka({ brokers: [kafka.bootstrapServers] })
 */
export async function startEmbeddedKafka(options: EmbeddedKafkaOptions = {}): Promise<EmbeddedKafka> {
  const { dataDir } = options
  const { plans, scramUsers, authorizer } = listenersOf(options)
  const limits: BrokerLimits = {
    maxPartitions: whole('maxPartitions', options.maxPartitions ?? 4000, 1, 1_000_000),
    maxGroups: whole('maxGroups', options.maxGroups ?? 10_000, 1, 1_000_000),
    maxGroupMembers: MAX_GROUP_MEMBERS,
    maxTransactionalIds: MAX_TRANSACTIONAL_IDS,
    maxStoredBytes: whole(
      'maxStoredBytes',
      options.maxStoredBytes ?? 2 ** 30,
      MIN_STORED_BYTES,
      Number.MAX_SAFE_INTEGER,
    ),
  }
  const maxConnections = whole('maxConnections', options.maxConnections ?? 1000, 1, 1_000_000)
  const maxFrameBytes = whole('maxFrameBytes', options.maxFrameBytes ?? 104_857_600, 1024, 2 ** 31 - 1)
  const maxHeldBytes = whole('maxHeldBytes', options.maxHeldBytes ?? 268_435_456, 1024, Number.MAX_SAFE_INTEGER)
  const slowClientMs = whole('slowClientMs', options.slowClientMs ?? 30_000, 1, 2 ** 31 - 1)
  const idleMs = whole('idleMs', options.idleMs ?? 600_000, 1, 2 ** 31 - 1)
  const defaultPartitions = whole(
    'defaultPartitions',
    options.defaultPartitions ?? 1,
    1,
    Math.min(200, limits.maxPartitions),
  )

  const controlPort =
    options.controlPort === undefined ? undefined : whole('controlPort', options.controlPort, 0, 65_535)
  const broker = openBroker({
    ...(dataDir !== undefined && { dataDir }),
    ...(options.onDamage !== undefined && { onDamage: options.onDamage }),
    defaultPartitions,
    autoCreateTopics: options.autoCreateTopics ?? true,
    cleanerBackoffMs: whole('cleanerBackoffMs', options.cleanerBackoffMs ?? 15_000, 1, 2 ** 31 - 1),
    limits,
    authorizer,
  })
  for (const { user, mechanism, password, iterations } of scramUsers) {
    if (broker.scramCredentials.find(mechanism, user)) continue
    broker.scramCredentials.setPassword(user, mechanism, password, iterations)
  }
  const onError: OnConnectionError = options.onConnectionError ?? (() => {})
  const listeners = await listenWith(broker, options.topics ?? [], {
    broker,
    plans,
    maxConnections,
    held: new HeldBytes(maxHeldBytes),
    limits: { maxFrameBytes, slowClientMs, idleMs },
    onError,
  })
  const control = createControl(broker)
  const controlServer =
    controlPort === undefined
      ? undefined
      : await listenForControl({ control, host: options.controlHost ?? '127.0.0.1', port: controlPort, onError }).catch(
          async (error: unknown) => {
            await listeners.close()
            broker.close()
            throw error
          },
        )
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= Promise.all([listeners.close(), controlServer?.close()]).then(() => broker.close())
    return closing
  }
  const [{ host, port, bootstrapServers }] = listeners.addresses as [ListenerAddress]
  return {
    host,
    port,
    bootstrapServers,
    listeners: listeners.addresses,
    setScramPassword: (user, mechanism, password) => broker.scramCredentials.setPassword(user, mechanism, password),
    control,
    controlPort: controlServer?.port,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Creates the topics, then lets clients in; when one of that fails, the broker is closed. */
async function listenWith(
  broker: Broker,
  topics: readonly (string | TopicOption)[],
  options: ListenOptions,
): Promise<Listeners> {
  try {
    createWanted(broker.topics, topics)
    return await listen(options)
  } catch (error) {
    broker.close()
    throw error
  }
}
