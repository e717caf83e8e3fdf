import { type CommandLine, NO_COMMAND_LINE, settingFrom } from './command-line.ts'
import type { EmbeddedKafkaOptions } from './embedded-kafka.ts'
import { OptionError } from './errors.ts'
import { isHostAndPort, planListeners, type Setting } from './network/listener-plan.ts'
import { planAuthorizer } from './security/acl/authorizer-settings.ts'
import { readScramUsers } from './security/scram-users.ts'
import { propertiesOf, SecurityProperties } from './security/security-properties.ts'
import { MAX_PARTITIONS_OF_TOPIC } from './topics/topic-catalog.ts'
import { isTopicName } from './topics/topic-names.ts'
import type { TopicOption } from './topics/wanted-topics.ts'

type Config = Pick<
  EmbeddedKafkaOptions,
  | 'host'
  | 'port'
  | 'advertise'
  | 'listeners'
  | 'advertisedListeners'
  | 'listenerSecurityProtocolMap'
  | 'dataDir'
  | 'topics'
  | 'controlPort'
  | 'controlHost'
  | 'security'
  | 'addScram'
>

const TOPIC_FORM = `NAME or NAME:PARTITIONS, with 1 to ${MAX_PARTITIONS_OF_TOPIC} partitions`

/** `NAME:PARTITIONS`, several with commas: a topic's name has neither. */
function readTopics({ name: setting, value = '' }: Setting, problems: string[]): readonly TopicOption[] {
  const items = value.split(',').flatMap((item) => item.trim() || [])
  return items.flatMap((item) => {
    const [, name = '', count] = /^([^:]*)(?::(\d{1,4}))?$/.exec(item) ?? []
    const partitions = Number(count ?? 1)
    if (!isTopicName(name) || partitions < 1 || partitions > MAX_PARTITIONS_OF_TOPIC) {
      problems.push(`${setting} must be ${TOPIC_FORM}; got "${item}"`)
      return []
    }
    return { name, ...(count !== undefined && { partitions }) }
  })
}

/**
 * Reads the options of the command, and of those that are not given the variables: KAFKA_HOST (default 127.0.0.1) and KAFKA_PORT (9092) or
 * KAFKA_LISTENERS in their place, KAFKA_ADVERTISE or KAFKA_ADVERTISED_LISTENERS, KAFKA_LISTENER_SECURITY_PROTOCOL_MAP in Apache Kafka's
 * syntax, KAFKA_DATA_DIR (none: everything in memory), KAFKA_TOPICS, KAFKA_CONTROL_PORT (none) and KAFKA_CONTROL_HOST (127.0.0.1),
 * KAFKA_ADD_SCRAM, and Apache Kafka's security properties, named as by its image.
 * @throws {OptionError} with everything that is wrong
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  commandLine: CommandLine = NO_COMMAND_LINE,
): Config {
  const given = settingFrom(commandLine, env)
  const problems = [...commandLine.problems]
  const [host, port] = [given('KAFKA_HOST'), given('KAFKA_PORT')]
  const [controlPort, controlHost] = [given('KAFKA_CONTROL_PORT'), given('KAFKA_CONTROL_HOST')]
  for (const { name, value } of [port, controlPort]) {
    if (value === undefined || (/^\d{1,5}$/.test(value) && Number(value) <= 65_535)) continue
    problems.push(`${name} must be a port from 0 to 65535; got "${value}"`)
  }
  if (controlHost.value !== undefined && controlPort.value === undefined) {
    problems.push(`${controlHost.name} must not be given without a control port; got "${controlHost.value}"`)
  }
  const listeners = given('KAFKA_LISTENERS')
  const advertise = given('KAFKA_ADVERTISE')
  const advertisedListeners = given('KAFKA_ADVERTISED_LISTENERS')
  const protocolMap = given('KAFKA_LISTENER_SECURITY_PROTOCOL_MAP')
  const short = { host: host.value ?? '127.0.0.1', port: Number(port.value ?? 9092) }
  if (listeners.value !== undefined && (host.value !== undefined || port.value !== undefined)) {
    const names = [host, port].map(({ name }) => name).join(' or ')
    problems.push(`${listeners.name} must not be given together with ${names}; got "${listeners.value}"`)
  }
  if (advertise.value !== undefined) {
    const other = [listeners, advertisedListeners].find(({ value }) => value !== undefined)
    if (other)
      problems.push(`${advertise.name} must not be given together with ${other.name}; got "${advertise.value}"`)
    if (!isHostAndPort(advertise.value)) {
      problems.push(`${advertise.name} must be host:port, an IPv6 address in brackets; got "${advertise.value}"`)
    }
  }
  const { values, nameOf } = propertiesOf(env)
  const security = new SecurityProperties(values, nameOf)
  planListeners({ ...short, listeners, advertisedListeners, protocolMap, security }, problems)
  const topics = readTopics(given('KAFKA_TOPICS'), problems)
  planAuthorizer(security, problems)
  const addScram = given('KAFKA_ADD_SCRAM')
  readScramUsers(addScram, problems)
  if (problems.length > 0) throw new OptionError(problems.join('; '))
  const dataDir = given('KAFKA_DATA_DIR').value
  return {
    ...(listeners.value === undefined ? short : { listeners: listeners.value }),
    ...(advertise.value !== undefined && { advertise: advertise.value }),
    ...(advertisedListeners.value !== undefined && { advertisedListeners: advertisedListeners.value }),
    ...(protocolMap.value !== undefined && { listenerSecurityProtocolMap: protocolMap.value }),
    ...(Object.keys(values).length > 0 && { security: values }),
    ...(addScram.value !== undefined && { addScram: addScram.value }),
    ...(dataDir !== undefined && { dataDir }),
    ...(topics.length > 0 && { topics }),
    ...(controlPort.value !== undefined && { controlPort: Number(controlPort.value) }),
    ...(controlHost.value !== undefined && { controlHost: controlHost.value }),
  }
}
