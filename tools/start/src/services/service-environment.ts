import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import type { Env, LogLevel } from '@taproom/service'
import { variableOf } from '@taproom/system'
import type { EnvironmentLayer } from './environment.ts'
import type { DescribeOptions } from './system-options.ts'

/** How long a service may take to stop, so that the whole system is gone within five seconds. Milliseconds. */
const GRACE_MS = '3000'

/** Services have their own names in traces, two cannot have one port, and the gateway asks each for its health at its own, without TLS. */
export const NOT_SHARED = {
  OTEL_SERVICE_NAME: '',
  MANAGEMENT_PORT: '',
  HTTP_SSL_CERTIFICATE_LOCATION: '',
  HTTP_SSL_KEY_LOCATION: '',
}

const PATH_VARIABLES = new Set(['RESOURCES_FILE', 'MANIFESTS', 'APPS_DIR'])

/** The environment that all services share: the caller's own, adapted to many services on one machine. */
export function commonLayers(
  options: Pick<DescribeOptions, 'env' | 'config' | 'files' | 'cwd' | 'tracesTo'>,
): readonly EnvironmentLayer[] {
  const { env, config, files, cwd } = options
  const defaults = {
    SHUTDOWN_GRACE_MS: GRACE_MS,
    MANIFESTS: join(files.root, 'deploy/knative'),
    APPS_DIR: join(files.root, 'apps'),
  }
  return [
    { from: 'environment', variables: withAbsolutePaths(env, cwd) },
    {
      from: 'start',
      variables: {
        HOST: '127.0.0.1',
        ...gatewayHosts(config.gateway),
        ...NOT_SHARED,
        LOG_LEVEL: serviceLogLevel(config.log.level),
        ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !env[name])),
        ...traceVariables(env, options.tracesTo),
      },
    },
  ]
}

/** The names that requests have when the gateway passes them on; an address may be named anyhow. */
function gatewayHosts({ allowedHosts }: DescribeOptions['config']['gateway']): Env {
  const names = allowedHosts.filter((host) => isIP(host) === 0)
  return names.length === 0 ? {} : { GATEWAY_ALLOWED_HOSTS: names.join(',') }
}

/** At least info, the level of the ready line; `createLogOutput` drops what is less severe than `LOG_LEVEL`. */
function serviceLogLevel(level: LogLevel): LogLevel {
  return level === 'debug' || level === 'trace' ? level : 'info'
}

/** How soon spans are sent: the console shows what happened just now. */
const SPANS_AFTER_MS = '1000'
/** After a service is ready: loading what makes spans would slow the start of the others. */
const TRACED_AFTER_MS = '1500'

/**
 * Sends traces to the console at this address, unless variables say where to, or that there are none: whatever is said of exporters is left as it is.
 */
export function traceVariables(env: Env, tracesTo: string | undefined): Env {
  if (tracesTo === undefined || tracesSetBy(env) !== undefined) return {}
  return {
    // For traces alone: another SDK would send metrics and logs to the endpoint of all signals.
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: new URL('/v1/traces', tracesTo).href,
    OTEL_BSP_SCHEDULE_DELAY: env['OTEL_BSP_SCHEDULE_DELAY'] || SPANS_AFTER_MS,
    TELEMETRY_DELAY_MS: env['TELEMETRY_DELAY_MS'] || TRACED_AFTER_MS,
  }
}

/** The variable that says where traces go, or that there are none; undefined when the console gets them. */
export function tracesSetBy(env: Env): string | undefined {
  const said = Object.entries(env).find(([name, value]) => {
    const isOfExport = name.startsWith('OTEL_EXPORTER_') || name === 'OTEL_TRACES_EXPORTER'
    return value !== undefined && value !== '' && (isOfExport || isDisabling(name, value))
  })
  return said?.[0]
}

function isDisabling(name: string, value: string): boolean {
  return name === 'OTEL_SDK_DISABLED' && value.trim().toLowerCase() === 'true'
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
