import { readConnection } from '@taproom/messaging'
import { type Env, kernelConfig, parseEnv } from '@taproom/service'

/** Confluent's own port. */
const DEFAULT_PORT = '8081'

/**
 * Reads the variables of the command: those of every service, `PORT` 8081 by default, and those of the connection to Kafka.
 * @throws {ConfigError} with everything that is wrong
 */
export function readConfig(env: Env) {
  return parseEnv({ ...env, PORT: env['PORT'] || DEFAULT_PORT }, (read) => {
    const kernel = kernelConfig(read)
    const topic = read.string('SCHEMA_REGISTRY_TOPIC', { default: '_schemas' })
    const allowedHosts = read.list('SCHEMA_REGISTRY_ALLOWED_HOSTS')
    return { ...kernel, kafka: readConnection(read, { mode: kernel.mode }), topic, allowedHosts }
  })
}
