import { join, resolve } from 'node:path'
import type { Env, LogLevel } from '@taproom/service'
import { variableOf } from '@taproom/system'
import { REPOSITORY } from './repository.ts'
import type { DescribeOptions } from './system-options.ts'

/** How long a service may take to stop, so that the whole system is gone within five seconds. Milliseconds. */
const GRACE_MS = '3000'

/** Two services cannot have one port, and the gateway asks each for its health at its own, without TLS. */
const NOT_SHARED = { MANAGEMENT_PORT: '', HTTP_SSL_CERTIFICATE_LOCATION: '', HTTP_SSL_KEY_LOCATION: '' }

/** Variables whose value is always a path. */
const PATH_VARIABLES = new Set(['RESOURCES_FILE', 'APPS_DIR'])

/** The environment that all services share: the caller's own, adapted to many services on one machine. */
export function commonEnvironment(options: Pick<DescribeOptions, 'env' | 'config' | 'folder' | 'cwd'>): Env {
  const { env, config, folder, cwd } = options
  return {
    ...withAbsolutePaths(env, cwd),
    HOST: '127.0.0.1',
    ...NOT_SHARED,
    LOG_LEVEL: serviceLogLevel(config.log.level),
    SHUTDOWN_GRACE_MS: env['SHUTDOWN_GRACE_MS'] || GRACE_MS,
    NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] || folder.compileCache,
    MANIFESTS: env['MANIFESTS'] ? resolve(cwd, env['MANIFESTS']) : join(REPOSITORY, 'deploy/knative'),
  }
}

/** At least info, the level of the ready line; `createLogOutput` drops what is less severe than `LOG_LEVEL`. */
function serviceLogLevel(level: LogLevel): LogLevel {
  return level === 'debug' || level === 'trace' ? level : 'info'
}

/** Services run in folders of their own, where the caller's relative paths would mean other files. */
function withAbsolutePaths(env: Env, cwd: string): Env {
  const result = { ...env }
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue
    const variable = variableOf(name)
    const sqlite = /^sqlite:(?!\/|:memory:)(.+)$/.exec(value)
    if (variable === 'DATABASE_URL' && sqlite?.[1]) result[name] = `sqlite:${resolve(cwd, sqlite[1])}`
    if (PATH_VARIABLES.has(variable)) result[name] = resolve(cwd, value)
    if (variable === 'MP_JWT_VERIFY_PUBLICKEY_LOCATION' && !/^[a-z][a-z0-9+.-]*:/i.test(value)) {
      result[name] = resolve(cwd, value)
    }
  }
  return result
}
