import { existsSync, readFileSync, statSync } from 'node:fs'
import { reasonOf } from '@taproom/core/lines'
import { readAccess } from './access-options.ts'
import { readAdvertise } from './advertise.ts'
import { MAX_BROKERS } from './cluster/nodes.ts'
import { type CommandLine, NO_COMMAND_LINE, propertiesFrom, settingFrom } from './command-line.ts'
import type { EmbeddedKafkaOptions } from './embedded-kafka-options.ts'
import { OptionError } from './errors.ts'
import { planListeners, type Setting } from './network/listener-plan.ts'
import { readBrokerProperties, withoutControllers } from './properties/broker-properties.ts'
import { propertiesOf } from './properties/environment-properties.ts'
import { bitnamiUsers, withImageVariables } from './properties/image-variables.ts'
import { JAAS_FILE, jaasFileOf, plainProperties } from './properties/jaas.ts'
import { SecurityProperties } from './properties/security-properties.ts'
import { planAuthorizer } from './security/acl/authorizer-settings.ts'
import { readScramUsers } from './security/scram-users.ts'
import { isTopicName } from './topics/topic-names.ts'
import type { TopicOption } from './topics/wanted-topics.ts'

type Config = Pick<
  EmbeddedKafkaOptions,
  | 'host'
  | 'port'
  | 'brokers'
  | 'racks'
  | 'advertise'
  | 'listeners'
  | 'advertisedListeners'
  | 'listenerSecurityProtocolMap'
  | 'dataDir'
  | 'topics'
  | 'controlPort'
  | 'controlHost'
  | 'properties'
  | 'addScram'
> & {
  /** Where a registry is to listen. Undefined: there is none. */
  readonly schemaRegistry?: { readonly host: string; readonly port: number }
}

/** `NAME:PARTITIONS`, several with commas: a topic's name has neither. */
function readTopics({ name: setting, value = '' }: Setting, problems: string[]): readonly TopicOption[] {
  const items = value.split(',').flatMap((item) => item.trim() || [])
  return items.flatMap((item) => {
    const [, name = '', count] = /^([^:]*)(?::(\d{1,7}))?$/.exec(item) ?? []
    const partitions = Number(count ?? 1)
    if (!isTopicName(name) || partitions < 1) {
      problems.push(`${setting} must be NAME or NAME:PARTITIONS, with at least 1 partition; got "${item}"`)
      return []
    }
    return { name, ...(count !== undefined && { partitions }) }
  })
}

/** Listeners at the advertised ports, as Confluent's image has them where only the advertised ones are given. */
function listenersBehind({ value }: Setting, host = '127.0.0.1'): string | undefined {
  if (value === undefined) return undefined
  const advertised = value.split(',').map((item) => item.trim())
  const at = host.includes(':') ? `[${host}]` : host
  return advertised.map((item) => item.replace(/:\/\/.*:/, `://${at}:`)).join(',')
}

/** The users of PLAIN in the JAAS file that `KAFKA_OPTS` names, as compose files with Apache Kafka's and Confluent's images have it. */
function jaasProperties(
  { KAFKA_OPTS: options }: NodeJS.ProcessEnv,
  problems: string[],
): Readonly<Record<string, string>> {
  const file = jaasFileOf(options)
  if (file === undefined) return {}
  try {
    return plainProperties(readFileSync(file, 'utf8'))
  } catch (error) {
    problems.push(`KAFKA_OPTS must name a JAAS file that can be read; got "${file}": ${reasonOf(error)}`)
    return {}
  }
}

function checkPorts(settings: readonly Setting[], problems: string[]): void {
  for (const { name, value } of settings) {
    if (value === undefined || (/^\d{1,5}$/.test(value) && Number(value) <= 65_535)) continue
    problems.push(`${name} must be a port from 0 to 65535; got "${value}"`)
  }
}

/** Checks the folder that counts: where the option and its variable are not given, that of the properties. */
function checkFolder(given: Setting, byProperty: Setting, problems: string[]): void {
  const { name, value } = given.value === undefined ? byProperty : given
  if (value === undefined || !existsSync(value) || statSync(value).isDirectory()) return
  problems.push(`${name} must be a folder; "${value}" is not one`)
}

/** The users of SASL from Bitnami's variables, else from the JAAS file and `KAFKA_ADD_SCRAM`. */
function readUsers(env: NodeJS.ProcessEnv, given: (variable: string) => Setting, problems: string[]) {
  const bitnami = bitnamiUsers(env, problems)
  const addScram = given('KAFKA_ADD_SCRAM')
  return {
    users: bitnami?.properties ?? jaasProperties(env, problems),
    usersFrom: bitnami === undefined ? `KAFKA_OPTS: ${jaasFileOf(env['KAFKA_OPTS'])}` : 'KAFKA_CLIENT_USERS',
    addScram:
      addScram.value === undefined && bitnami ? { name: 'KAFKA_CLIENT_USERS', value: bitnami.addScram } : addScram,
  }
}

/**
 * Reads the options of the command, and of those that are not given the variables: KAFKA_HOST (default 127.0.0.1) and KAFKA_PORT (9092) or
 * KAFKA_LISTENERS in their place, KAFKA_BROKERS (1), KAFKA_ADVERTISE or KAFKA_ADVERTISED_LISTENERS, KAFKA_LISTENER_SECURITY_PROTOCOL_MAP in Apache Kafka's
 * syntax, KAFKA_DATA_DIR (none: everything in memory), KAFKA_TOPICS, KAFKA_CONTROL_PORT (none) and KAFKA_CONTROL_HOST (127.0.0.1), KAFKA_SCHEMA_REGISTRY_PORT (none),
 * KAFKA_ADD_SCRAM, and Apache Kafka's properties, named as by its image. `--sasl` and `--tls` stand for the usual ones of these.
 * @throws {OptionError} with everything that is wrong
 */
export function readConfig(
  variables: Readonly<Record<string, string | undefined>>,
  commandLine: CommandLine = NO_COMMAND_LINE,
): Config {
  const problems = [...commandLine.problems]
  const { env, givenAs } = withImageVariables(variables, problems)
  const given = settingFrom(commandLine, { env, givenAs })
  const [givenHost, port] = [given('KAFKA_HOST'), given('KAFKA_PORT')]
  const host = { ...givenHost, value: givenHost.value?.replace(/^\[(.*)\]$/, '$1') }
  const [controlPort, controlHost] = [given('KAFKA_CONTROL_PORT'), given('KAFKA_CONTROL_HOST')]
  const registryPort = given('KAFKA_SCHEMA_REGISTRY_PORT')
  checkPorts([port, given('KAFKA_ADVERTISED_PORT'), controlPort, registryPort], problems)
  const brokers = given('KAFKA_BROKERS')
  const count = /^\d$/.test(brokers.value ?? '1') ? Number(brokers.value ?? 1) : 0
  if (count < 1 || count > MAX_BROKERS) {
    problems.push(`${brokers.name} must be a number from 1 to ${MAX_BROKERS}; got "${brokers.value}"`)
  }
  if (controlHost.value !== undefined && controlPort.value === undefined) {
    problems.push(`${controlHost.name} must not be given without a control port; got "${controlHost.value}"`)
  }
  const { values, nameOf } = propertiesOf(env)
  const forClients = ({ name, value }: Setting) => ({
    name,
    value: value && withoutControllers(value, values['controller.listener.names']),
  })
  const advertisedListeners = forClients(given('KAFKA_ADVERTISED_LISTENERS'))
  const withControllers = given('KAFKA_LISTENERS')
  const declared = forClients(withControllers)
  if (declared.value === '') {
    problems.push(
      `${declared.name} must have a listener that controller.listener.names does not have; got "${withControllers.value}"`,
    )
  }
  const derived = port.value === undefined ? listenersBehind(advertisedListeners, host.value) : undefined
  const listeners = declared.value ? declared : { ...declared, value: derived }
  const protocolMap = given('KAFKA_LISTENER_SECURITY_PROTOCOL_MAP')
  const short = { host: host.value ?? '127.0.0.1', port: Number(port.value ?? 9092) }
  // The image sets KAFKA_HOST, which counts where there are no listeners.
  const beside = [host, port].find(({ name, value }) => value !== undefined && name !== 'KAFKA_HOST')
  if (listeners.value !== undefined && beside !== undefined) {
    problems.push(`${listeners.name} must not be given together with ${beside.name}; got "${listeners.value}"`)
  }
  const advertise = readAdvertise(given, { port, others: [listeners, advertisedListeners] }, problems)
  const { addScram, users, usersFrom } = readUsers(env, given, problems)
  const access = readAccess(commandLine, problems)
  const settings = [listeners, protocolMap, addScram].find(({ value }) => value !== undefined)
  if (access !== undefined && settings !== undefined) {
    problems.push(`${access.names.join(' and ')} must not be given together with ${settings.name}`)
  }
  const onCommandLine = propertiesFrom(commandLine)
  const properties = {
    ...users,
    ...values,
    ...onCommandLine.values,
    ...access?.security,
  }
  const nameOfProperty = (name: string) => {
    if (name === JAAS_FILE) return usersFrom
    return access?.optionOf(name) ?? onCommandLine.nameOf(name) ?? givenAs(nameOf(name))
  }
  const { options } = readBrokerProperties({ values: properties, nameOf: nameOfProperty }, problems)
  const security = new SecurityProperties(properties, nameOfProperty)
  const protocols = { name: protocolMap.name, value: access?.listenerSecurityProtocolMap ?? protocolMap.value }
  planListeners({ ...short, listeners, advertisedListeners, protocolMap: protocols, security }, problems)
  const racks = commandLine.values.get('rack') ?? []
  const topics = readTopics(given('KAFKA_TOPICS'), problems)
  planAuthorizer(security, problems)
  readScramUsers(addScram, problems)
  const dataDir = given('KAFKA_DATA_DIR')
  const logDirs = ['log.dirs', 'log.dir'].find((name) => properties[name] !== undefined) ?? 'log.dirs'
  checkFolder(dataDir, { name: nameOfProperty(logDirs), value: options.dataDir }, problems)
  if (problems.length > 0) throw new OptionError([...new Set(problems)].join('; '))
  const scramUsers = access?.addScram ?? addScram.value
  return {
    ...(listeners.value === undefined ? short : { listeners: listeners.value }),
    ...(brokers.value !== undefined && { brokers: count }),
    ...(racks.length > 0 && { racks }),
    ...(advertise.value !== undefined && { advertise: advertise.value }),
    ...(advertisedListeners.value !== undefined && { advertisedListeners: advertisedListeners.value }),
    ...(protocols.value !== undefined && { listenerSecurityProtocolMap: protocols.value }),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(scramUsers !== undefined && { addScram: scramUsers }),
    ...(dataDir.value !== undefined && { dataDir: dataDir.value }),
    ...(topics.length > 0 && { topics }),
    ...(registryPort.value !== undefined && {
      schemaRegistry: { host: short.host, port: Number(registryPort.value) },
    }),
    ...(controlPort.value !== undefined && { controlPort: Number(controlPort.value) }),
    ...(controlHost.value !== undefined && { controlHost: controlHost.value }),
  }
}
