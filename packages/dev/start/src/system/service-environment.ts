import { resolve } from 'node:path'
import type { Env, LogLevel } from '@taproom/service'
import type { DescribeOptions } from './system-options.ts'

/** Longest that a service may take to stop, so that the whole system is gone within five seconds. Milliseconds. */
const graceMs = '3000'

/** Variables whose value is a path and nothing else. */
const pathVariables = new Set(['RESOURCES_FILE', 'APPS_DIR'])

/** The environment that all services share: the caller's own, with what running side by side on one machine needs. */
export function commonEnvironment(options: Pick<DescribeOptions, 'env' | 'config' | 'folder' | 'cwd' | 'root'>): Env {
  const { env, config, folder, cwd, root } = options
  return {
    ...withAbsolutePaths(env, cwd),
    HOST: '127.0.0.1',
    LOG_LEVEL: serviceLogLevel(config.log.level),
    SHUTDOWN_GRACE_MS: env['SHUTDOWN_GRACE_MS'] || graceMs,
    NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] || folder.compileCache,
    MANIFESTS: env['MANIFESTS'] ? resolve(cwd, env['MANIFESTS']) : resolve(root, 'deploy/knative'),
  }
}

/** The ready line has level info; what is less severe than `LOG_LEVEL` is left out where lines are passed on. */
function serviceLogLevel(level: LogLevel): LogLevel {
  return level === 'debug' || level === 'trace' ? level : 'info'
}

/** Each service runs in its own folder, where a relative path of the caller's would mean another file. */
function withAbsolutePaths(env: Env, cwd: string): Env {
  const result = { ...env }
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue
    const property = name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()
    const sqlite = /^sqlite:(?!\/|:memory:)(.+)$/.exec(value)
    if (property === 'DATABASE_URL' && sqlite?.[1]) result[name] = `sqlite:${resolve(cwd, sqlite[1])}`
    if (pathVariables.has(property)) result[name] = resolve(cwd, value)
    if (property === 'MP_JWT_VERIFY_PUBLICKEY_LOCATION' && !/^[a-z][a-z0-9+.-]*:/i.test(value)) {
      result[name] = resolve(cwd, value)
    }
  }
  return result
}
