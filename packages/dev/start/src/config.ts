import { resolve } from 'node:path'
import { type Env, type EnvReader, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'
import { type Need, needsOf, type StandIn, type System } from '@taproom/system'

/** What `pnpm start` reads from its environment; everything else is passed on to the services unread. */
export interface StartConfig extends KernelConfig {
  /** `KUBE_PORT`, default 8001. */
  readonly kubePort: number
  /** The port of each process: `CLAIM_API_PORT` and so on, default 0, which is any free one. */
  readonly ports: Readonly<Record<string, number>>
  /** What is brought along, because nothing else is configured for it. */
  readonly brought: ReadonlySet<Need>
  readonly gateway: {
    /** `HOST` and `GATEWAY_ALLOWED_HOSTS`: hosts the gateway serves beside those that are this machine's anyway. */
    readonly allowedHosts: readonly string[]
  }
  /** `TAPROOM_STATE_DIR`, default `.taproom`: keys, SQLite file, Kafka log. Absolute. */
  readonly stateDir: string
}

/**
 * Reads the configuration of `pnpm start` for a system; relative paths mean `cwd`.
 *
 * @throws ConfigError naming every invalid variable, and production mode without a key of its own
 */
export function readConfig(env: Env, cwd: string, system: System): StartConfig {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    // Whatever runs here, the development key, the resource API and the state are for this machine alone unless somebody says otherwise.
    const host = read.string('HOST', { default: '127.0.0.1' })
    const brought = new Set(needsOf(system).filter((need) => isBrought(need, read)))
    const config: StartConfig = {
      ...kernel,
      http: { ...kernel.http, host },
      gateway: { allowedHosts: [host, ...allowedHosts(read)] },
      kubePort: port(read, 'KUBE_PORT', 8001),
      ports: Object.fromEntries(
        Object.entries(portVariables(system, brought)).map(([name, { variable, default: absent }]) => [
          name,
          port(read, variable, absent),
        ]),
      ),
      brought,
      stateDir: readStateDir(read, cwd),
    }
    requireKey(read, config)
    samePorts(read, portsByVariable(config, system))
    return config
  })
}

/** Nothing that is configured says where the real one is. */
function isBrought({ variables, enabledBy }: Need, read: EnvReader): boolean {
  const isNamed = variables.some((name) => read.optionalString(name) !== undefined)
  return !isNamed && (enabledBy === undefined || read.boolean(enabledBy, { default: true }))
}

/** Whether tokens are verified with the development key. */
export function hasDevelopmentKey({ brought }: StartConfig): boolean {
  return [...brought].some(({ developmentKey }) => developmentKey === true)
}

function requireKey(read: EnvReader, config: StartConfig): void {
  const isSet = (key: string) => read.optionalString(`mp.jwt.verify.${key}`) !== undefined
  if (config.mode === 'production' && hasDevelopmentKey(config)) {
    read.problem(
      'MP_JWT_VERIFY_PUBLICKEY_LOCATION',
      'is not set, and no development key is made in production mode: set it, or unset NODE_ENV (production)',
    )
  } else if (isSet('issuer') && !isSet('publickey') && !isSet('publickey.location')) {
    read.problem(
      'MP_JWT_VERIFY_PUBLICKEY_LOCATION',
      'is not set, and MP_JWT_VERIFY_ISSUER switched the development key off: set it to the key of that issuer, or unset MP_JWT_VERIFY_ISSUER',
    )
  }
}

/** Every process of the system that runs, stand-ins first, with the variable of its port. */
export function portVariables({ standIns, apps }: System, brought: ReadonlySet<Need>) {
  const needed = new Set([...brought].map(({ standIn }) => standIn))
  const entries = [
    ...Object.entries(standIns).filter(([name]) => needed.has(name)),
    ...Object.keys(apps).map((name) => [name, {}] as const),
  ]
  return Object.fromEntries(
    entries.map(([name, { port: own }]: readonly [string, Pick<StandIn, 'port'>]) => [
      name,
      own ?? { variable: `${name.replaceAll('-', '_').toUpperCase()}_PORT`, default: 0 },
    ]),
  )
}

/** Every port that is asked for, by its variable. */
export function portsByVariable(
  { http, kubePort, ports, brought }: StartConfig,
  system: System,
): Record<string, number> {
  const processes = Object.entries(portVariables(system, brought))
  return {
    PORT: http.port,
    KUBE_PORT: kubePort,
    ...Object.fromEntries(processes.map(([name, { variable }]) => [variable, ports[name] ?? 0])),
  }
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
