import { type ConnectionProperties, readConnection } from '@taproom/messaging'
import { type Env, LOG_LEVELS, parseEnv } from '@taproom/service'

export interface ConsoleConfig {
  readonly port: number
  /** The secret of all requests to the API; each `pnpm start` makes a new one. */
  readonly session: string
  /** The control socket of the system that is shown. */
  readonly controlSocket: string
  /** Where Kafka is, and how it is spoken to, as the services have it. */
  readonly kafka: ConnectionProperties
  readonly log: { readonly level: (typeof LOG_LEVELS)[number] }
  readonly graceMs: number
}

const MIN_SESSION = 32

/** @throws {ConfigError} when variables are missing or invalid, naming all of them */
export function readConfig(env: Env): ConsoleConfig {
  return parseEnv(env, (read) => ({
    port: read.integer('PORT', { default: 0, min: 0, max: 65_535 }),
    session: read.custom('CONSOLE_SECRET', {
      secret: true,
      expected: `at least ${MIN_SESSION} letters, digits, - or _`,
      parse: sessionSecret,
    }),
    controlSocket: read.string('CONSOLE_CONTROL_SOCKET'),
    kafka: readConnection(read, { mode: 'development' }),
    log: { level: read.oneOf('LOG_LEVEL', LOG_LEVELS, { default: 'info' }) },
    graceMs: read.integer('SHUTDOWN_GRACE_MS', { default: 3000, min: 0, max: 600_000 }),
  }))
}

function sessionSecret(text: string): string {
  if (!new RegExp(`^[\\w-]{${MIN_SESSION},}$`).test(text)) throw new RangeError('no secret')
  return text
}
