import { resolve } from 'node:path'
import { ConfigError, type Env, type EnvReader, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'

/** The services that are processes of their own and listen on a port of their own. */
export const portNames = [
  'film-standin',
  'beer-standin',
  'claim-api',
  'movie-api',
  'beer-generator',
  'price-generator',
  'beer-stream',
  'event-platform',
] as const
/** Name of a service with a port of its own. */
export type PortName = (typeof portNames)[number]

/** What `pnpm start` reads from its environment; everything else is passed on to the services unread. */
export interface LocalConfig extends KernelConfig {
  readonly ports: {
    /** `KUBE_PORT`, default 8001. */
    readonly kube: number
    /** `KAFKA_PORT`, default 9092; 0 is any free port. */
    readonly kafka: number
    /** `CLAIM_API_PORT`, `MOVIE_API_PORT` and so on, default 0: any free port. */
    readonly pinned: Readonly<Record<PortName, number>>
  }
  /** What runs embedded, because nothing else is configured for it. */
  readonly embedded: {
    readonly kafka: boolean
    readonly filmService: boolean
    readonly beerService: boolean
    readonly database: boolean
    readonly keys: boolean
  }
  readonly gateway: {
    /** `HOST` and `GATEWAY_ALLOWED_HOSTS`: hosts the gateway serves beside those that are this machine's anyway. */
    readonly allowedHosts: readonly string[]
  }
  /** `TAPROOM_STATE_DIR`, default `.taproom`: keys, SQLite file, Kafka log. Absolute. */
  readonly stateDir: string
}

/** A configuration, and what is wrong with it. */
export interface InspectedConfig {
  /** What is invalid has its default. */
  readonly config: LocalConfig
  /** A sentence for every invalid variable, and for production mode without a key of its own. */
  readonly problems: readonly string[]
}

/** Reads the configuration of `pnpm start`; relative paths mean `cwd`. */
export function inspectConfig(env: Env, cwd: string): InspectedConfig {
  let inspected: LocalConfig | undefined
  try {
    const config = parseEnv(env, (read) => {
      inspected = buildConfig(read, cwd)
      return inspected
    })
    return { config, problems: [] }
  } catch (error) {
    if (!(error instanceof ConfigError) || inspected === undefined) throw error
    return { config: inspected, problems: error.problems }
  }
}

function buildConfig(read: EnvReader, cwd: string): LocalConfig {
  const kernel = kernelConfig(read)
  // Whatever runs here, the development key, the resource API and the state are for this machine alone unless somebody says otherwise.
  const host = read.string('HOST', { default: '127.0.0.1' })
  const isSet = (key: string) => read.optionalString(`mp.jwt.verify.${key}`) !== undefined
  const jwt = {
    publicKey: isSet('publickey'),
    publicKeyLocation: isSet('publickey.location'),
    issuer: isSet('issuer'),
  }
  const config = {
    ...kernel,
    http: { ...kernel.http, host },
    gateway: { allowedHosts: [host, ...allowedHosts(read)] },
    ports: {
      kube: port(read, 'KUBE_PORT', 8001),
      kafka: port(read, 'KAFKA_PORT', 9092),
      pinned: Object.fromEntries(portNames.map((name) => [name, port(read, portVariable(name), 0)])) as Record<
        PortName,
        number
      >,
    },
    embedded: {
      kafka:
        read.optionalString('kafka.bootstrap.servers') === undefined &&
        read.boolean('kafka.devservices.enabled', { default: true }),
      filmService: read.optionalString('FILM_SERVICE_URL') === undefined,
      beerService: read.optionalString('BEER_SERVICE_URL') === undefined,
      database: read.optionalString('DATABASE_URL') === undefined,
      keys: !jwt.publicKey && !jwt.publicKeyLocation && !jwt.issuer,
    },
    stateDir: readStateDir(read, cwd),
  }
  if (kernel.mode === 'production' && config.embedded.keys) {
    read.problem(
      'MP_JWT_VERIFY_PUBLICKEY_LOCATION',
      'is not set, and no development key is made in production mode: set it, or unset NODE_ENV (production)',
    )
  } else if (jwt.issuer && !jwt.publicKey && !jwt.publicKeyLocation) {
    read.problem(
      'MP_JWT_VERIFY_PUBLICKEY_LOCATION',
      'is not set, and MP_JWT_VERIFY_ISSUER switched the development key off: set it to the key of that issuer, or unset MP_JWT_VERIFY_ISSUER',
    )
  }
  samePorts(read, {
    PORT: kernel.http.port,
    KUBE_PORT: config.ports.kube,
    ...(config.embedded.kafka && { KAFKA_PORT: config.ports.kafka }),
    ...Object.fromEntries(portNames.map((name) => [portVariable(name), config.ports.pinned[name]])),
  })
  return config
}

/** Names and addresses without port, as a `Host` has them. */
function allowedHosts(read: EnvReader): readonly string[] {
  const hosts = read.list('GATEWAY_ALLOWED_HOSTS').map((host) => host.toLowerCase())
  const wrong = hosts.find((host) => !/^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(host))
  if (wrong === undefined) return hosts
  read.problem(
    'GATEWAY_ALLOWED_HOSTS',
    `has ${JSON.stringify(wrong)}: expected hosts without port, separated by commas`,
  )
  return []
}

/** `TAPROOM_STATE_DIR` as an absolute path. */
export function readStateDir(read: EnvReader, cwd: string): string {
  return resolve(cwd, read.string('TAPROOM_STATE_DIR', { default: '.taproom' }))
}

/** `claim-api` → `CLAIM_API_PORT`. */
export function portVariable(name: PortName): string {
  return `${name.replaceAll('-', '_').toUpperCase()}_PORT`
}

function port(read: EnvReader, name: string, absent: number): number {
  return read.integer(name, { default: absent, min: 0, max: 65_535 })
}

function samePorts(read: EnvReader, ports: Readonly<Record<string, number>>): void {
  const seen = new Map<number, string>()
  for (const [name, number] of Object.entries(ports)) {
    if (number === 0) continue
    const other = seen.get(number)
    if (other) read.problem(name, `is ${number}, the same port as ${other}`)
    seen.set(number, name)
  }
}
