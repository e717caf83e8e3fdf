import type { EmbeddedKafkaOptions } from './embedded-kafka.ts'
import { OptionError } from './errors.ts'
import { planListeners } from './network/listener-plan.ts'

type Config = Pick<
  EmbeddedKafkaOptions,
  'host' | 'port' | 'listeners' | 'advertisedListeners' | 'listenerSecurityProtocolMap' | 'dataDir'
>

/**
 * Reads KAFKA_HOST (default 127.0.0.1) and KAFKA_PORT (9092) or KAFKA_LISTENERS in their place, KAFKA_ADVERTISED_LISTENERS and
 * KAFKA_LISTENER_SECURITY_PROTOCOL_MAP in Apache Kafka's syntax, and KAFKA_DATA_DIR (none: everything in memory).
 * @throws {OptionError} with everything that is wrong
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = (name: string) => ({ name, value: env[name] || undefined })
  const problems: string[] = []
  const port = given('KAFKA_PORT').value ?? '9092'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    problems.push(`KAFKA_PORT must be a port from 0 to 65535; got "${port}"`)
  }
  const listeners = given('KAFKA_LISTENERS')
  const advertisedListeners = given('KAFKA_ADVERTISED_LISTENERS')
  const protocolMap = given('KAFKA_LISTENER_SECURITY_PROTOCOL_MAP')
  const short = { host: given('KAFKA_HOST').value ?? '127.0.0.1', port: Number(port) }
  if (listeners.value !== undefined && (env['KAFKA_HOST'] || env['KAFKA_PORT'])) {
    problems.push(`KAFKA_LISTENERS must not be given together with KAFKA_HOST or KAFKA_PORT; got "${listeners.value}"`)
  }
  planListeners({ ...short, listeners, advertisedListeners, protocolMap }, problems)
  if (problems.length > 0) throw new OptionError(problems.join('; '))
  const dataDir = given('KAFKA_DATA_DIR').value
  return {
    ...(listeners.value === undefined ? short : { listeners: listeners.value }),
    ...(advertisedListeners.value !== undefined && { advertisedListeners: advertisedListeners.value }),
    ...(protocolMap.value !== undefined && { listenerSecurityProtocolMap: protocolMap.value }),
    ...(dataDir !== undefined && { dataDir }),
  }
}
