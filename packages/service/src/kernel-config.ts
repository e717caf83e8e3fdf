import type { EnvReader } from './env.ts'
import { LOG_LEVELS, type LogLevel } from './logger.ts'

/** What every service reads from its environment. */
export interface KernelConfig {
  /** `NODE_ENV=production` is production, anything else development. */
  readonly mode: 'development' | 'production'
  readonly http: {
    /** `HOST`, default 0.0.0.0. */
    readonly host: string
    /** `PORT`, default 8080; 0 is any free port. */
    readonly port: number
    /** Four fifths of the grace, in milliseconds: the rest is for closing what was opened before the server. */
    readonly drainMs: number
  }
  readonly log: {
    /** `LOG_LEVEL`, default info. */
    readonly level: LogLevel
  }
  readonly health: {
    /** `HEALTH_ROOT_PATH`, default /q/health. */
    readonly rootPath: string
    /** The health page is there in development mode only. */
    readonly ui: boolean
  }
  /** `SHUTDOWN_GRACE_MS`, default 10 000: how long a service may take from SIGTERM to its exit. */
  readonly graceMs: number
}

/** Reads the variables that all services share; for use inside `parseEnv`. */
export function kernelConfig(read: EnvReader): KernelConfig {
  const mode = read.string('NODE_ENV', { default: 'development' }) === 'production' ? 'production' : 'development'
  const graceMs = read.integer('SHUTDOWN_GRACE_MS', { default: 10_000, min: 0, max: 600_000 })
  return {
    mode,
    http: {
      host: read.string('HOST', { default: '0.0.0.0' }),
      port: read.integer('PORT', { default: 8080, min: 0, max: 65_535 }),
      drainMs: Math.floor(graceMs * 0.8),
    },
    log: { level: read.oneOf('LOG_LEVEL', LOG_LEVELS, { default: 'info' }) },
    health: {
      rootPath: read.custom('HEALTH_ROOT_PATH', {
        default: '/q/health',
        expected: 'a path that begins with a slash and does not end with one, such as /q/health',
        parse: healthRootPath,
      }),
      ui: mode === 'development',
    },
    graceMs,
  }
}

function healthRootPath(text: string): string {
  if (!/^(\/[\w.~-]+)+$/.test(text)) throw new RangeError('not a path')
  return text
}
