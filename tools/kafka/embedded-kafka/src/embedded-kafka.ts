import type { ClusterLimits } from './broker/cluster-options.ts'
import { openCluster } from './broker/open-cluster.ts'
import { MAX_BROKERS } from './cluster/nodes.ts'
import { type ClusterBroker, type EmbeddedBroker, startBroker } from './cluster-broker.ts'
import { type Control, createControl } from './control/control.ts'
import { type ControlServer, listenForControl } from './control/control-server.ts'
import type { EmbeddedKafkaOptions } from './embedded-kafka-options.ts'
import { OptionError } from './errors.ts'
import type { OnConnectionError } from './network/connection.ts'
import { HeldBytes } from './network/held-bytes.ts'
import type { ListenerAddress } from './network/listener.ts'
import { forBroker, isHostAndPort, type ListenerPlan, planListeners } from './network/listener-plan.ts'
import { MAX_TOPIC_PARTITIONS, readBrokerProperties } from './properties/broker-properties.ts'
import { SecurityProperties } from './properties/security-properties.ts'
import { planAuthorizer } from './security/acl/authorizer-settings.ts'
import type { ScramName } from './security/sasl/scram.ts'
import { readScramUsers } from './security/scram-users.ts'
import { createWanted } from './topics/wanted-topics.ts'
import { flushOf, whole } from './whole-options.ts'

/** A running cluster, mostly of one broker. Closing it, which is disposing of it, ends all connections and closes all files; it is idempotent. */
export interface EmbeddedKafka extends AsyncDisposable {
  /** Of the first broker's first listener, as are `port` and `listeners`. */
  readonly host: string
  readonly port: number
  /** `host:port`, for clients of this machine; several brokers with commas. */
  readonly bootstrapServers: string
  /** All of them, where they listen. */
  readonly listeners: readonly ListenerAddress[]
  /** All of them, by their node ids. */
  readonly brokers: readonly [EmbeddedBroker, ...EmbeddedBroker[]]
  /** Has things go wrong, moves time, and waits for commits: what tests need and no broker has. */
  readonly control: Control
  /** Of the control API; undefined where it is not served. */
  readonly controlPort: number | undefined
  close(): Promise<void>
  /** Gives a user this password for SCRAM, instead of the one there may be. */
  setScramPassword(user: string, mechanism: ScramName, password: string): void
}

/** Some of the largest batches that topics take by default; a batch with more is refused. */
const MIN_STORED_BYTES = 4_194_304
const MAX_GROUP_MEMBERS = 1000
const MAX_TRANSACTIONAL_IDS = 10_000

function checkPorts(plans: readonly (readonly ListenerPlan[])[], problems: string[]): void {
  if (plans.length === 1) return
  const ports = plans.flat().flatMap(({ port }) => (port === 0 ? [] : [port]))
  const isTooHigh = plans.flat().some(({ port, advertised }) => Math.max(port, advertised.port ?? 0) > 65_535)
  if (!isTooHigh && new Set(ports).size === ports.length) return
  problems.push(`${plans.length} brokers need that many ports in a row for each listener; got ${ports.join(', ')}`)
}

/** The callbacks for problems with files of the data folder, and with memory. */
function storageCallbacks({ onDamage, onWriteFailure, onMemoryFull }: EmbeddedKafkaOptions) {
  return {
    ...(onDamage && { onDamage }),
    ...(onWriteFailure && { onWriteFailure }),
    ...(onMemoryFull && { onMemoryFull }),
  }
}

function advertisedHosts(plans: readonly (readonly ListenerPlan[])[]): readonly string[] {
  return plans.flat().flatMap(({ advertised }) => advertised.host ?? [])
}

/** The options with those that the properties stand for, where no option says otherwise. @throws {OptionError} when a property is wrong */
function withProperties(given: EmbeddedKafkaOptions) {
  const { properties = {}, maxTopicPartitions } = given
  // From JavaScript there can be anything; the old option would otherwise start a broker that lets everybody in.
  if ('security' in given) throw new OptionError('security is not an option: its settings belong in properties')
  const wrong = Object.entries<unknown>(properties).filter(([, value]) => typeof value !== 'string' || !value.trim())
  const problems = wrong.map(([name, value]) => {
    return `${name} must be a text that is not empty; got ${typeof value === 'string' ? '""' : `a value of type ${typeof value}`}`
  })
  if (problems.length > 0) throw new OptionError(problems.join('; '))
  const byName = { values: properties, nameOf: (name: string) => name }
  const { options, defaults, sessions, isRackAware, firstNodeId } = readBrokerProperties(byName, problems, {
    maxTopicPartitions,
  })
  if (problems.length > 0) throw new OptionError(problems.join('; '))
  return { options: { ...options, ...given }, started: { started: defaults, sessions, isRackAware, firstNodeId } }
}

/** @throws {OptionError} when a limit is out of its range */
function limitsOf(options: EmbeddedKafkaOptions) {
  return {
    maxPartitions: whole('maxPartitions', options.maxPartitions ?? 4000, 1, 1_000_000),
    maxTopicPartitions: whole('maxTopicPartitions', options.maxTopicPartitions ?? MAX_TOPIC_PARTITIONS, 1, 1_000_000),
    maxGroups: whole('maxGroups', options.maxGroups ?? 10_000, 1, 1_000_000),
    maxGroupMembers: MAX_GROUP_MEMBERS,
    maxTransactionalIds: MAX_TRANSACTIONAL_IDS,
    maxStoredBytes: whole(
      'maxStoredBytes',
      options.maxStoredBytes ?? 2 ** 30,
      MIN_STORED_BYTES,
      Number.MAX_SAFE_INTEGER,
    ),
  } satisfies ClusterLimits
}

/** Listeners of each broker, and who gets in. @throws {OptionError} when they are wrong, with everything that is */
export function listenersOf(options: EmbeddedKafkaOptions, brokers: number) {
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
  const security = new SecurityProperties(options.properties ?? {})
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
  const all = Array.from({ length: brokers }, (_, index) => forBroker(plans, index))
  if (problems.length === 0) checkPorts(all, problems)
  if (problems.length > 0) throw new OptionError(problems.join('; '))
  return { plans: all, scramUsers, authorizer }
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
export async function startEmbeddedKafka(given: EmbeddedKafkaOptions = {}): Promise<EmbeddedKafka> {
  const { options, started } = withProperties(given)
  const { dataDir } = options
  const count = whole('brokers', options.brokers ?? 1, 1, MAX_BROKERS)
  const { plans, scramUsers, authorizer } = listenersOf(options, count)
  const limits = limitsOf(options)
  const maxConnections = whole('maxConnections', options.maxConnections ?? 1000, 1, 1_000_000)
  const maxFrameBytes = whole('maxFrameBytes', options.maxFrameBytes ?? 104_857_600, 1024, 2 ** 31 - 1)
  const maxHeldBytes = whole('maxHeldBytes', options.maxHeldBytes ?? 268_435_456, 1024, Number.MAX_SAFE_INTEGER)
  const slowClientMs = whole('slowClientMs', options.slowClientMs ?? 30_000, 1, 2 ** 31 - 1)
  const idleMs = whole('idleMs', options.idleMs ?? 600_000, 1, 2 ** 31 - 1)
  const defaultPartitions = whole(
    'defaultPartitions',
    options.defaultPartitions ?? 1,
    1,
    Math.min(limits.maxTopicPartitions, limits.maxPartitions),
  )

  const controlPort =
    options.controlPort === undefined ? undefined : whole('controlPort', options.controlPort, 0, 65_535)
  const { racks = [] } = options
  const cluster = openCluster({
    racks: Array.from({ length: count }, (_, index) => racks[index % racks.length] ?? null),
    ...(dataDir !== undefined && { dataDir }),
    ...storageCallbacks(options),
    defaultPartitions,
    autoCreateTopics: options.autoCreateTopics ?? true,
    ...started,
    cleanerBackoffMs: whole('cleanerBackoffMs', options.cleanerBackoffMs ?? 15_000, 1, 2 ** 31 - 1),
    limits,
    authorizer,
    flush: flushOf(options),
  })
  const { scramCredentials, topics } = cluster.brokers[0]
  const fill = (): void => {
    for (const { user, mechanism, password, iterations } of scramUsers) {
      if (scramCredentials.find(mechanism, user)) continue
      scramCredentials.setPassword(user, mechanism, password, iterations)
    }
    createWanted(topics, options.topics ?? [])
  }
  const reset = (): void => {
    cluster.empty()
    fill()
    options.onReset?.()
  }
  const onError: OnConnectionError = options.onConnectionError ?? (() => {})
  const held = new HeldBytes(maxHeldBytes)
  const control = createControl(cluster.brokers[0], { reset })
  const brokers: ClusterBroker[] = []
  let controlServer: ControlServer | undefined
  const end = async (): Promise<void> => {
    await Promise.all([...brokers.map((broker) => broker.close()), controlServer?.close()])
    cluster.close()
  }
  try {
    fill()
    for (const [index, broker] of cluster.brokers.entries()) {
      const listeners = { plans: plans[index] ?? [], maxConnections, limits: { maxFrameBytes, slowClientMs, idleMs } }
      brokers.push(await startBroker(cluster, { broker, held, onError, ...listeners }))
    }
    if (controlPort !== undefined) {
      const host = options.controlHost ?? '127.0.0.1'
      const names = [host, ...advertisedHosts(plans)]
      controlServer = await listenForControl({ control, brokers, host, port: controlPort, names, onError })
    }
  } catch (error) {
    await end()
    throw error
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= end()
    return closing
  }
  // There is at least one, as `count` says.
  const all = brokers as unknown as readonly [ClusterBroker, ...ClusterBroker[]]
  const [{ host, port, listeners }] = all
  return {
    host,
    port,
    bootstrapServers: brokers.map((broker) => broker.bootstrapServers).join(','),
    listeners,
    brokers: all,
    setScramPassword: (user, mechanism, password) => scramCredentials.setPassword(user, mechanism, password),
    control,
    controlPort: controlServer?.port,
    close,
    [Symbol.asyncDispose]: close,
  }
}
