import { randomUUID } from 'node:crypto'
import { REGISTRY_LISTENER } from './broker/clients.ts'
import type { EmbeddedKafka } from './embedded-kafka.ts'
import type { EmbeddedKafkaOptions } from './embedded-kafka-options.ts'
import { OptionError } from './errors.ts'
import { isSecurityProtocol } from './security/listener-security.ts'

/** The part of a running registry that the command needs. */
export interface CommandRegistry extends AsyncDisposable {
  readonly port: number
  reload(): Promise<void>
}

/** The part of `@taproom/schema-registry` that the command needs. */
interface RegistryPackage {
  startSchemaRegistry(options: {
    readonly bootstrapServers: string
    readonly security: { readonly sasl: { readonly mechanism: 'PLAIN' } & User }
    readonly host: string
    readonly port: number
    readonly allowedHosts: readonly string[]
    readonly allowedHostsFrom: string
  }): Promise<CommandRegistry>
}

export type LoadRegistry = () => Promise<RegistryPackage>

interface User {
  readonly username: string
  readonly password: string
}

type Config = Pick<
  EmbeddedKafkaOptions,
  | 'host'
  | 'port'
  | 'listeners'
  | 'advertise'
  | 'advertisedListeners'
  | 'listenerSecurityProtocolMap'
  | 'properties'
  | 'topics'
>

/** A registry for a broker that is not started yet. */
interface PlannedRegistry {
  /** The options of the broker, with the listener of the registry. */
  readonly options: Config
  /** @throws {OptionError} when the registry does not start */
  open(
    kafka: Pick<EmbeddedKafka, 'brokers'>,
    at: { readonly host: string; readonly port: number },
  ): Promise<CommandRegistry>
}

const SCHEMAS = { name: '_schemas', partitions: 1, config: { 'cleanup.policy': 'compact' } }

const OLDEST_NODE = [22, 18] as const

/**
 * Plans a registry that keeps its schemas in the brokers of this process.
 * @throws {OptionError} when the package is not installed, or Node is too old for it
 */
export async function planRegistry(config: Config, loadRegistry: LoadRegistry): Promise<PlannedRegistry> {
  const { startSchemaRegistry } = await load(loadRegistry)
  const user = { username: `schema-registry-${randomUUID()}`, password: randomUUID() }
  return {
    options: withListener(config, user),
    async open({ brokers }, at) {
      const listeners = brokers.flatMap((broker) => broker.listeners.filter(({ name }) => name === REGISTRY_LISTENER))
      try {
        return await startSchemaRegistry({
          bootstrapServers: listeners.map(({ bootstrapServers }) => bootstrapServers).join(','),
          security: { sasl: { mechanism: 'PLAIN', ...user } },
          allowedHosts: advertisedHosts(config),
          allowedHostsFrom: '--advertise or KAFKA_ADVERTISED_LISTENERS',
          ...at,
        })
      } catch (cause) {
        throw new OptionError(`--schema-registry ${at.port}: ${cause instanceof Error ? cause.message : cause}`, {
          cause,
        })
      }
    },
  }
}

/**
 * Adds a listener on a loopback address, for a user that only this process knows and that may do everything: what the listeners for clients
 * advertise may not be reached from here, and they may need a password or certificate.
 */
function withListener(given: Config, { username, password }: User): Config {
  const { host = '127.0.0.1', port = 9092, advertise, ...options } = given
  const listeners = options.listeners ?? `PLAINTEXT://${host.includes(':') ? `[${host}]` : host}:${port}`
  const advertised = advertise === undefined ? options.advertisedListeners : `PLAINTEXT://${advertise}`
  const protocols = options.listenerSecurityProtocolMap ?? listeners.split(',').map(protocolOf).join(',')
  const own = `listener.name.${REGISTRY_LISTENER.toLowerCase()}`
  const { 'authorizer.class.name': authorizer, 'super.users': superUsers } = options.properties ?? {}
  const allSuperUsers = `${superUsers === undefined ? '' : `${superUsers};`}User:${username}`
  return {
    ...options,
    // There at once when the cluster is emptied, before a client makes it another one.
    topics: [...(options.topics ?? []).filter((topic) => nameOf(topic) !== SCHEMAS.name), SCHEMAS],
    listeners: `${listeners},${REGISTRY_LISTENER}://127.0.0.1:0`,
    ...(advertised !== undefined && { advertisedListeners: advertised }),
    listenerSecurityProtocolMap: `${protocols},${REGISTRY_LISTENER}:SASL_PLAINTEXT`,
    properties: {
      ...options.properties,
      ...(authorizer !== undefined && { 'super.users': allSuperUsers }),
      [`${own}.sasl.enabled.mechanisms`]: 'PLAIN',
      [`${own}.plain.sasl.jaas.config`]: `PlainLoginModule required user_${username}="${password}";`,
    },
  }
}

function nameOf(topic: NonNullable<Config['topics']>[number]): string {
  return typeof topic === 'string' ? topic : topic.name
}

function protocolOf(listener: string): string {
  const name = listener.slice(0, listener.indexOf(':')).trim().toUpperCase()
  return `${name}:${isSecurityProtocol(name) ? name : 'PLAINTEXT'}`
}

async function load(loadRegistry: LoadRegistry): Promise<RegistryPackage> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new OptionError(`--schema-registry needs Node ${OLDEST_NODE.join('.')} or later; this is ${process.version}`)
  }
  try {
    return await loadRegistry()
  } catch (error) {
    // Something else may be missing, which it needs itself.
    if (!(error instanceof Error) || !error.message.startsWith("Cannot find package '@taproom/schema-registry'"))
      throw error
    throw new OptionError('--schema-registry needs the package @taproom/schema-registry; install it beside this one')
  }
}

/** Names by which clients reach the brokers: the registry has the same. */
function advertisedHosts({ advertise, advertisedListeners = '' }: Config): readonly string[] {
  const addresses = [...advertisedListeners.split(',').map((each) => each.replace(/^.*:\/\//, '')), advertise ?? '']
  return addresses.map((address) => address.replace(/:\d*$/, '')).filter((host) => host !== '')
}
