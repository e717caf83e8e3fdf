import { MANAGEMENT_PATHS } from '@taproom/http'
import type { EnvReader } from '../env/env-reader.ts'
import { LOG_LEVELS, type LogLevel } from '../logger.ts'
import { httpConfig } from './http-config.ts'

/** The configuration that every service has. */
export type KernelConfig = ReturnType<typeof kernelConfig>

/** `NODE_ENV=production`, in any case, is production, anything else development. */
export function runMode(read: EnvReader): 'development' | 'production' {
  const mode = read.string('NODE_ENV', { default: 'development' })
  return mode.toLowerCase() === 'production' ? 'production' : 'development'
}

/** Reads the variables that all services share; for use inside `parseEnv`. */
export function kernelConfig(read: EnvReader) {
  const mode = runMode(read)
  if (mode === 'production') refuseLooseTls(read)
  // Node reads it when it starts, and ignores every other value.
  if (read.oneOf('NODE_USE_ENV_PROXY', ['0', '1'], { default: '0' }) === '1') refuseOtherProxies(read)
  /** How long a service may take from SIGTERM to its exit. */
  const graceMs = read.integer('SHUTDOWN_GRACE_MS', { default: 10_000, min: 0, max: 600_000 })
  const rootPath = read.custom('HEALTH_ROOT_PATH', {
    default: MANAGEMENT_PATHS.health,
    expected: 'a path that begins with a slash and does not end with one, such as /q/health',
    parse: healthRootPath,
  })
  return {
    mode,
    http: {
      ...httpConfig(read, rootPath),
      /** Four fifths of the grace: the rest is for closing everything else. */
      drainMs: Math.floor(graceMs * 0.8),
    },
    log: { level: logLevel(read) },
    health: {
      rootPath,
      /** Whether there is a health page: in development mode only. */
      ui: mode === 'development',
    },
    graceMs,
  }
}

/** Node's http client ignores a proxy of another scheme and connects directly; `fetch` goes through that proxy. */
function refuseOtherProxies(read: EnvReader): void {
  // Node prefers the names in lower case, too.
  for (const name of ['http_proxy', 'https_proxy']) {
    read.custom(name, {
      default: '',
      secret: true,
      expected: 'a URL that begins with http:// or https://, in lower case',
      parse(text) {
        if (!/^(https?:\/\/|$)/.test(text)) throw new RangeError('not a proxy for both clients')
        return text
      },
    })
  }
}

/** By this variable Node trusts every certificate, also where keys that verify tokens come from. */
function refuseLooseTls(read: EnvReader): void {
  if (read.optionalString('NODE_TLS_REJECT_UNAUTHORIZED') !== '0') return
  const remedy = 'expected NODE_EXTRA_CA_CERTS with the file of the CA that is missing'
  read.problem('NODE_TLS_REJECT_UNAUTHORIZED', `0 would make every certificate trusted, in production: ${remedy}`)
}

/** Reads `LOG_LEVEL` in any case. `warning`, the name that other loggers have, is `warn`. */
function logLevel(read: EnvReader): LogLevel {
  return read.custom('LOG_LEVEL', {
    default: 'info',
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    parse(text) {
      const name = text.toLowerCase()
      const level = LOG_LEVELS.find((one) => one === (name === 'warning' ? 'warn' : name))
      if (level === undefined) throw new RangeError('not a level')
      return level
    },
  })
}

function healthRootPath(text: string): string {
  if (!/^(\/[\w.~-]+)+$/.test(text)) throw new RangeError('not a path')
  return text
}
