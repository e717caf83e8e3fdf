import { OptionError } from './errors.ts'

export interface Config {
  readonly host: string
  readonly port: number
  /** Undefined: everything in memory. */
  readonly dataDir: string | undefined
}

/**
 * Reads KAFKA_HOST (default 127.0.0.1), KAFKA_PORT (9092) and KAFKA_DATA_DIR (none).
 * @throws {OptionError} when a port is none
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const port = env['KAFKA_PORT'] || '9092'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new OptionError(`KAFKA_PORT must be a port from 0 to 65535, got "${port}"`)
  }
  return {
    host: env['KAFKA_HOST'] || '127.0.0.1',
    port: Number(port),
    dataDir: env['KAFKA_DATA_DIR'] || undefined,
  }
}
