import { MANAGEMENT_PATHS } from '@taproom/http'
import type { EnvReader } from './env-reader.ts'
import { HTTP_LIMITS as limits } from './http-limits.ts'
import { LOG_LEVELS } from './logger.ts'

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
  /** How long a service may take from SIGTERM to its exit. */
  const graceMs = read.integer('SHUTDOWN_GRACE_MS', { default: 10_000, min: 0, max: 600_000 })
  return {
    mode,
    http: {
      host: read.string('HOST', { default: '0.0.0.0' }),
      /** 0 is any free port. */
      port: read.integer('PORT', { default: 8080, min: 0, max: 65_535 }),
      maxConnections: read.integer('HTTP_MAX_CONNECTIONS', { default: limits.maxConnections, min: 1, max: 1_000_000 }),
      headersTimeoutMs: milliseconds(read, 'HTTP_HEADERS_TIMEOUT_MS', limits.headersTimeoutMs),
      requestTimeoutMs: milliseconds(read, 'HTTP_REQUEST_TIMEOUT_MS', limits.requestTimeoutMs),
      keepAliveTimeoutMs: milliseconds(read, 'HTTP_KEEP_ALIVE_TIMEOUT_MS', limits.keepAliveTimeoutMs),
      writeTimeoutMs: milliseconds(read, 'HTTP_WRITE_TIMEOUT_MS', limits.writeTimeoutMs),
      /** Four fifths of the grace: the rest is for closing everything else. */
      drainMs: Math.floor(graceMs * 0.8),
    },
    log: { level: read.oneOf('LOG_LEVEL', LOG_LEVELS, { default: 'info' }) },
    health: {
      rootPath: read.custom('HEALTH_ROOT_PATH', {
        default: MANAGEMENT_PATHS.health,
        expected: 'a path that begins with a slash and does not end with one, such as /q/health',
        parse: healthRootPath,
      }),
      /** Whether there is a health page: in development mode only. */
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
