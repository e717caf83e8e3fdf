import { MANAGEMENT_PATHS } from '@taproom/http'
import type { EnvReader } from '../env/env-reader.ts'
import { LOCAL_PROXIES, readProxies } from '../requests/client-address.ts'
import { HTTP_LIMITS as limits } from '../server/http-limits.ts'
import type { TlsOptions } from '../server/tls-files.ts'
import { corsConfig } from './cors-config.ts'

/** The variables of `listen`; for use inside `parseEnv`. */
export function httpConfig(read: EnvReader, healthRootPath: string) {
  const host = read.string('HOST', { default: '::' })
  /** 0 is any free port. */
  const port = read.integer('PORT', { default: 8080, min: 0, max: 65_535 })
  return {
    host,
    port,
    management: management(read, { host, port }),
    tls: tls(read),
    maxConnections: read.integer('HTTP_MAX_CONNECTIONS', { default: limits.maxConnections, min: 1, max: 1_000_000 }),
    headersTimeoutMs: milliseconds(read, 'HTTP_HEADERS_TIMEOUT_MS', limits.headersTimeoutMs),
    requestTimeoutMs: milliseconds(read, 'HTTP_REQUEST_TIMEOUT_MS', limits.requestTimeoutMs),
    keepAliveTimeoutMs: milliseconds(read, 'HTTP_KEEP_ALIVE_TIMEOUT_MS', limits.keepAliveTimeoutMs),
    writeTimeoutMs: milliseconds(read, 'HTTP_WRITE_TIMEOUT_MS', limits.writeTimeoutMs),
    maxConnectionsPerClient: read.integer('HTTP_MAX_CONNECTIONS_PER_CLIENT', { default: 0, min: 0, max: 1_000_000 }),
    rateLimit: rateLimit(read),
    cors: corsConfig(read),
    accessLog: read.boolean('HTTP_ACCESS_LOG', { default: false }),
    securityLog: read.boolean('HTTP_SECURITY_LOG', { default: false }),
    unlimitedPaths: [healthRootPath, MANAGEMENT_PATHS.metrics],
    trustedProxies: read.custom('HTTP_TRUSTED_PROXIES', {
      expected: 'addresses and networks such as 10.0.0.0/8, comma separated; or none',
      parse: readProxies,
      default: LOCAL_PROXIES,
    }),
  }
}

/** A wait of one hour at most. */
function milliseconds(read: EnvReader, name: string, absent: number): number {
  return read.integer(name, { default: absent, min: 100, max: 3_600_000 })
}

function rateLimit(read: EnvReader) {
  const perSecond = read.number('HTTP_RATE_LIMIT', { default: 0, min: 0, max: 1_000_000 })
  const burst = read.integer('HTTP_RATE_LIMIT_BURST', {
    default: Math.max(1, Math.ceil(perSecond)),
    min: 1,
    max: 1_000_000,
  })
  // Slower than one in a thousand seconds is as good as none.
  return perSecond === 0 ? undefined : { perSecond: Math.max(0.001, perSecond), burst }
}

function management(read: EnvReader, main: { readonly host: string; readonly port: number }) {
  if (read.optionalString('MANAGEMENT_PORT') === undefined) return undefined
  const port = read.integer('MANAGEMENT_PORT', { default: 0, min: 0, max: 65_535 })
  if (port === main.port && port !== 0) read.problem('MANAGEMENT_PORT', `is ${port}, the same port as PORT`)
  return { port, host: read.string('MANAGEMENT_HOST', { default: main.host }) }
}

function tls(read: EnvReader): TlsOptions | undefined {
  const names = ['HTTP_SSL_CERTIFICATE_LOCATION', 'HTTP_SSL_KEY_LOCATION'] as const
  const [certificateLocation, keyLocation] = names.map((name) => read.optionalString(name))
  const passphrase = read.optionalString('HTTP_SSL_KEY_PASSPHRASE')
  const reloadMs = milliseconds(read, 'HTTP_SSL_RELOAD_INTERVAL_MS', 30_000)
  if (certificateLocation !== undefined && keyLocation !== undefined) {
    return { certificateLocation, keyLocation, passphrase, reloadMs }
  }
  if (certificateLocation !== undefined) read.problem(names[1], `is not set: expected the key of ${names[0]}`)
  if (keyLocation !== undefined) read.problem(names[0], `is not set: expected the certificate of ${names[1]}`)
  return undefined
}
