import { dirname, join } from 'node:path'
import { LIMITS } from '@taproom/limits'
import { parseBootstrapServers } from '@taproom/messaging'
import { type Env, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'
import { DEFAULT_BUFFER_BYTES } from './eventing/brokers.ts'
import { isLoopback } from './kube/guard.ts'

export interface Config extends KernelConfig {
  readonly kafka: {
    /** `KAFKA_BOOTSTRAP_SERVERS`, default localhost:9092. */
    readonly bootstrapServers: string
    /** `KAFKA_SESSION_TIMEOUT_MS`, default 6000: how long triggers pause after the platform was killed. */
    readonly sessionTimeoutMs: number
    /** `BROKER_PARTITIONS`, default 1: partitions of a new broker's topic. */
    readonly partitions: number
  }
  readonly kube: {
    /** `KUBE_HOST`, default 127.0.0.1: the resource API has no users, so only this machine should reach it. */
    readonly host: string
    /** Whether `KUBE_HOST` is a loopback address; otherwise writing needs the token. */
    readonly isLocalOnly: boolean
    /** `KUBE_ALLOWED_HOSTS`: hosts that requests may name, besides localhost and the address they came in at. */
    readonly allowedHosts: readonly string[]
    /** `KUBE_TOKEN_FILE`, default `kube-token` beside `RESOURCES_FILE`; with neither, other machines cannot write. */
    readonly tokenFile: string | undefined
    /** `KUBE_PORT`, default 8001. */
    readonly port: number
  }
  /** `MANIFESTS`: a folder of YAML files. */
  readonly manifests: string
  /** `RESOURCES_FILE`: keeps resources over restarts; without it they are in memory only. */
  readonly resourcesFile: string | undefined
  readonly serving: {
    /** `APPS_DIR`: has a folder for each app that services run. */
    readonly appsDir: string
    /** `SCALE_TO_ZERO_IDLE_MS`, default 60 000. */
    readonly idleMs: number
    /** `SINK_START_TIMEOUT_MS`, default 30 000: how long a request is held for an instance. */
    readonly startTimeoutMs: number
    /** `SINK_QUEUE_SIZE`, default 10 000: most requests held for one service. */
    readonly queueSize: number
    /** `SINK_MAX_INSTANCES`, default 4: most instances of one service. */
    readonly maxInstances: number
    /** Variables that instances inherit: what any process needs, none of the platform's own. */
    readonly env: Readonly<Record<string, string>>
  }
  readonly ingress: {
    /** `BROKER_BUFFER_BYTES`, default 64 MiB: most bytes of events being accepted at once. */
    readonly bufferBytes: number
  }
  readonly delivery: {
    /** `TRIGGER_CONCURRENCY`, default 64: most deliveries of one trigger at once. */
    readonly concurrency: number
  }
}

/**
 * `folders` are the defaults of `MANIFESTS` and `APPS_DIR`.
 *
 * @throws {ConfigError} listing every invalid variable
 */
export function readConfig(env: Env, folders: { readonly manifests: string; readonly apps: string }): Config {
  return parseEnv(env, (read) => ({
    ...kernelConfig(read),
    kafka: {
      bootstrapServers: read.custom('KAFKA_BOOTSTRAP_SERVERS', {
        default: 'localhost:9092',
        expected: 'a comma-separated list of host:port',
        parse: parseBootstrapServers,
      }),
      sessionTimeoutMs: read.integer('KAFKA_SESSION_TIMEOUT_MS', { default: 6000, min: 1000, max: 300_000 }),
      partitions: read.integer('BROKER_PARTITIONS', { default: 1, min: 1, max: 1000 }),
    },
    kube: {
      host: read.string('KUBE_HOST', { default: '127.0.0.1' }),
      isLocalOnly: isLoopback(read.string('KUBE_HOST', { default: '127.0.0.1' })),
      allowedHosts: read.custom('KUBE_ALLOWED_HOSTS', {
        default: '',
        expected: 'a comma-separated list of host names or addresses, without ports',
        parse: parseHosts,
      }),
      tokenFile: read.optionalString('KUBE_TOKEN_FILE') ?? besides(read.optionalString('RESOURCES_FILE'), 'kube-token'),
      port: read.integer('KUBE_PORT', { default: 8001, min: 0, max: 65_535 }),
    },
    manifests: read.string('MANIFESTS', { default: folders.manifests }),
    resourcesFile: read.optionalString('RESOURCES_FILE'),
    serving: {
      appsDir: read.string('APPS_DIR', { default: folders.apps }),
      idleMs: read.integer('SCALE_TO_ZERO_IDLE_MS', { default: 60_000, min: 100, max: 86_400_000 }),
      startTimeoutMs: read.integer('SINK_START_TIMEOUT_MS', { default: 30_000, min: 100, max: 600_000 }),
      queueSize: read.integer('SINK_QUEUE_SIZE', { default: 10_000, min: 1, max: 1_000_000 }),
      maxInstances: read.integer('SINK_MAX_INSTANCES', { default: 4, min: 1, max: 1000 }),
      env: inherited(env),
    },
    ingress: {
      bufferBytes: read.integer('BROKER_BUFFER_BYTES', {
        default: DEFAULT_BUFFER_BYTES,
        min: 2 * LIMITS.eventDataBytes,
        max: 4 * 1024 ** 3,
      }),
    },
    delivery: { concurrency: read.integer('TRIGGER_CONCURRENCY', { default: 64, min: 1, max: 10_000 }) },
  }))
}

function parseHosts(text: string): readonly string[] {
  const hosts = text
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '')
  if (!hosts.every((host) => /^([a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?|\[[a-f0-9:.]+\])$/.test(host)))
    throw new Error()
  return hosts
}

function besides(path: string | undefined, name: string): string | undefined {
  return path === undefined ? undefined : join(dirname(path), name)
}

const INHERITED = ['PATH', 'NODE_ENV', 'NODE_COMPILE_CACHE', 'TMPDIR', 'TZ']

function inherited(env: Env): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
