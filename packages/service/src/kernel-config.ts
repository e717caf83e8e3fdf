import { MANAGEMENT_PATHS } from '@taproom/http'
import type { EnvReader } from './env-reader.ts'
import { HTTP_LIMITS } from './http-limits.ts'
import { LOG_LEVELS, type LogLevel } from './logger.ts'

/** The configuration that every service has. */
export interface KernelConfig {
  /** `NODE_ENV=production`, in any case, is production, anything else development. */
  readonly mode: 'development' | 'production'
  readonly http: {
    /** `HOST`, default 0.0.0.0. */
    readonly host: string
    /** `PORT`, default 8080; 0 is any free port. */
    readonly port: number
    /** `HTTP_MAX_CONNECTIONS`, default 10 000: most clients connected at a time. */
    readonly maxConnections: number
    /** `HTTP_HEADERS_TIMEOUT_MS`, default 10 000: a request whose headers take longer is 408. */
    readonly headersTimeoutMs: number
    /** `HTTP_REQUEST_TIMEOUT_MS`, default 60 000: a request that takes longer to arrive is 408; its answer may take any time. */
    readonly requestTimeoutMs: number
    /** `HTTP_KEEP_ALIVE_TIMEOUT_MS`, default 5000: how long a connection is kept without a request. */
    readonly keepAliveTimeoutMs: number
    /** `HTTP_WRITE_TIMEOUT_MS`, default 30 000: how long a client may read nothing while data waits for it. */
    readonly writeTimeoutMs: number
    /** Four fifths of the grace, in milliseconds: the rest is for closing everything else. */
    readonly drainMs: number
  }
  readonly log: {
    /** `LOG_LEVEL`, default info. */
    readonly level: LogLevel
  }
  readonly health: {
    /** `HEALTH_ROOT_PATH`, default /q/health. */
    readonly rootPath: string
    /** Whether there is a health page: in development mode only. */
    readonly ui: boolean
  }
  /** `SHUTDOWN_GRACE_MS`, default 10 000: how long a service may take from SIGTERM to its exit. */
  readonly graceMs: number
}

/** `NODE_ENV`, in any case. */
export function runMode(read: EnvReader): KernelConfig['mode'] {
  const mode = read.string('NODE_ENV', { default: 'development' })
  return mode.toLowerCase() === 'production' ? 'production' : 'development'
}

/** Reads the variables that all services share; for use inside `parseEnv`. */
export function kernelConfig(read: EnvReader): KernelConfig {
  const mode = runMode(read)
  const graceMs = read.integer('SHUTDOWN_GRACE_MS', { default: 10_000, min: 0, max: 600_000 })
  return {
    mode,
    http: {
      host: read.string('HOST', { default: '0.0.0.0' }),
      port: read.integer('PORT', { default: 8080, min: 0, max: 65_535 }),
      maxConnections: read.integer('HTTP_MAX_CONNECTIONS', {
        default: HTTP_LIMITS.maxConnections,
        min: 1,
        max: 1_000_000,
      }),
      headersTimeoutMs: milliseconds(read, 'HTTP_HEADERS_TIMEOUT_MS', HTTP_LIMITS.headersTimeoutMs),
      requestTimeoutMs: milliseconds(read, 'HTTP_REQUEST_TIMEOUT_MS', HTTP_LIMITS.requestTimeoutMs),
      keepAliveTimeoutMs: milliseconds(read, 'HTTP_KEEP_ALIVE_TIMEOUT_MS', HTTP_LIMITS.keepAliveTimeoutMs),
      writeTimeoutMs: milliseconds(read, 'HTTP_WRITE_TIMEOUT_MS', HTTP_LIMITS.writeTimeoutMs),
      drainMs: Math.floor(graceMs * 0.8),
    },
    log: { level: read.oneOf('LOG_LEVEL', LOG_LEVELS, { default: 'info' }) },
    health: {
      rootPath: read.custom('HEALTH_ROOT_PATH', {
        default: MANAGEMENT_PATHS.health,
        expected: 'a path that begins with a slash and does not end with one, such as /q/health',
        parse: healthRootPath,
      }),
      ui: mode === 'development',
    },
    graceMs,
  }
}

/** A wait of one hour at most. */
function milliseconds(read: EnvReader, name: string, absent: number): number {
  return read.integer(name, { default: absent, min: 100, max: 3_600_000 })
}

function healthRootPath(text: string): string {
  if (!/^(\/[\w.~-]+)+$/.test(text)) throw new RangeError('not a path')
  return text
}
