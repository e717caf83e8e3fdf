import { dirname, join } from 'node:path'
import { LIMITS } from '@taproom/core/limits'
import { httpAddress, isLoopback } from '@taproom/http'
import { readConnection } from '@taproom/messaging'
import { type Env, type EnvReader, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'
import { AUTHORIZATION_MODES } from './eventing/broker-access.ts'
import { DEFAULT_BUFFER_BYTES } from './eventing/brokers.ts'
import { readGivenVariables } from './serving/given-variables.ts'

export type Config = ReturnType<typeof readConfig>

/**
 * `folders` are the defaults of `MANIFESTS` and `APPS_DIR`.
 *
 * @throws {ConfigError} listing every invalid variable
 */
export function readConfig(env: Env, folders: { readonly manifests: string; readonly apps: string }) {
  return parseEnv(env, (read) => ({
    ...kernelConfig(read),
    kafka: {
      ...readConnection(read, kernelConfig(read)),
      /** How long triggers pause after the platform was killed. */
      sessionTimeoutMs: read.integer('KAFKA_SESSION_TIMEOUT_MS', { default: 6000, min: 1000, max: 300_000 }),
      /** Of a new broker's topic. */
      partitions: read.integer('BROKER_PARTITIONS', { default: 1, min: 1, max: 1000 }),
    },
    /** Host names of the gateway in front of the brokers, which passes the Host header on. */
    gatewayHosts: read.custom('GATEWAY_ALLOWED_HOSTS', HOSTS),
    kube: {
      /** The resource API has no users, so only this machine should reach it. */
      host: read.string('KUBE_HOST', { default: '127.0.0.1' }),
      /** Otherwise writing needs the token. */
      isLocalOnly: isLoopback(read.string('KUBE_HOST', { default: '127.0.0.1' })),
      /** Hosts that requests may name, besides localhost and the address they came in at. */
      allowedHosts: read.custom('KUBE_ALLOWED_HOSTS', HOSTS),
      /** By default beside `RESOURCES_FILE`; with neither, other machines cannot write. */
      tokenFile: read.optionalString('KUBE_TOKEN_FILE') ?? besides(read.optionalString('RESOURCES_FILE'), 'kube-token'),
      port: read.integer('KUBE_PORT', { default: 8001, min: 0, max: 65_535 }),
    },
    oidc: {
      /** By default the address that the platform listens at; undefined while its port is not known. */
      issuer: read.optionalString('OIDC_ISSUER') === undefined ? ownAddress(kernelConfig(read)) : readIssuer(read),
      /** By default beside `RESOURCES_FILE`; with neither, a new key is made for each start. */
      keyFile: read.optionalString('OIDC_KEY_FILE') ?? besides(read.optionalString('RESOURCES_FILE'), 'oidc-key.pem'),
    },
    authorization: {
      /** Brokers want a token of one of these; none: everyone may send. */
      issuers: read.custom('BROKER_TOKEN_ISSUERS', {
        default: '',
        expected: 'a comma-separated list of http or https URLs, each once',
        parse: parseIssuers,
      }),
      /** Who may send where no EventPolicy applies. */
      mode: read.oneOf('DEFAULT_AUTHORIZATION_MODE', AUTHORIZATION_MODES, { default: 'allow-same-namespace' }),
    },
    /** A folder of YAML files. */
    manifests: read.string('MANIFESTS', { default: folders.manifests }),
    /** Keeps resources over restarts; without it they are in memory only. */
    resourcesFile: read.optionalString('RESOURCES_FILE'),
    serving: {
      /** Has a folder for each app that services run. */
      appsDir: read.string('APPS_DIR', { default: folders.apps }),
      idleMs: read.integer('SCALE_TO_ZERO_IDLE_MS', { default: 60_000, min: 100, max: 86_400_000 }),
      /** How long a request is held for an instance. */
      startTimeoutMs: read.integer('SINK_START_TIMEOUT_MS', { default: 30_000, min: 100, max: 600_000 }),
      /** Most requests held for one service. */
      queueSize: read.integer('SINK_QUEUE_SIZE', { default: 10_000, min: 1, max: 1_000_000 }),
      /** Of one service. */
      maxInstances: read.integer('SINK_MAX_INSTANCES', { default: 4, min: 1, max: 1000 }),
      /** What any process needs, none of the platform's own. */
      env: inherited(env),
      given: readGivenVariables(env, read),
    },
    ingress: {
      /** Most bytes of events being accepted at once. */
      bufferBytes: read.integer('BROKER_BUFFER_BYTES', {
        default: DEFAULT_BUFFER_BYTES,
        min: 2 * LIMITS.eventDataBytes,
        max: 4 * 1024 ** 3,
      }),
    },
    /** Most deliveries of one trigger at once. */
    delivery: { concurrency: read.integer('TRIGGER_CONCURRENCY', { default: 64, min: 1, max: 10_000 }) },
  }))
}

function ownAddress({ http }: KernelConfig): string | undefined {
  return http.port === 0 ? undefined : httpAddress(http.host, http.port, http.tls ? 'https' : 'http')
}

function readIssuer(read: EnvReader): string {
  return read.custom('OIDC_ISSUER', {
    expected: 'an http or https URL without user, password, query, fragment and slash at its end',
    parse: (text) => {
      if (!isIssuer(text) || text.endsWith('/')) throw new Error()
      return text
    },
  })
}

function parseIssuers(text: string): readonly string[] {
  const issuers = itemsOf(text)
  if (!issuers.every(isIssuer) || new Set(issuers).size < issuers.length) throw new Error()
  return issuers
}

function isIssuer(text: string): boolean {
  return /^https?:\/\/[^@?#\\\s,]+$/.test(text) && URL.canParse(text)
}

const HOSTS = {
  default: '',
  expected: 'a comma-separated list of host names or addresses, without ports',
  parse: parseHosts,
}

function parseHosts(text: string): readonly string[] {
  const hosts = itemsOf(text.toLowerCase())
  if (!hosts.every((host) => /^([a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?|\[[a-f0-9:.]+\])$/.test(host)))
    throw new Error()
  return hosts
}

function itemsOf(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim())
  return items.filter(Boolean)
}

function besides(path: string | undefined, name: string): string | undefined {
  return path === undefined ? undefined : join(dirname(path), name)
}

const INHERITED = ['PATH', 'NODE_ENV', 'NODE_COMPILE_CACHE', 'TMPDIR', 'TZ']

/** Sinks are traced as the platform is, each under its own name. */
function inherited(env: Env): Record<string, string> {
  const isInherited = (name: string) =>
    INHERITED.includes(name) || (name.startsWith('OTEL_') && name !== 'OTEL_SERVICE_NAME')
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(set.filter(([name]) => isInherited(name)))
}
