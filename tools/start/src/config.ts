import { join, resolve } from 'node:path'
import { type Env, type EnvReader, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'
import {
  developmentIssuerOf,
  type Need,
  needsOf,
  platformOf,
  type StandIn,
  type System,
  variableOf,
} from '@taproom/system'

/** Where paths begin. */
export interface Folders {
  /** That of a relative path in a variable: the caller's. */
  readonly cwd: string
  /** That of the system: its `system.ts` is here, and so is its state by default. */
  readonly root: string
}

/** The variables that `pnpm start` reads itself; all others are passed on to the services unread. */
export interface StartConfig extends KernelConfig {
  /** `KUBE_PORT`, default 8001; undefined for a system without a resource API. */
  readonly kubePort: number | undefined
  /** The port of each process, such as `CLAIM_API_PORT`. Default 0: any free port. */
  readonly ports: Readonly<Record<string, number>>
  /** Every configured port by its variable. */
  readonly portsByVariable: Readonly<Record<string, number>>
  /** The needs that `pnpm start` meets itself, because no variable names something real. */
  readonly brought: ReadonlySet<Need>
  /** Whose tokens are accepted: the development issuer, or those of `MP_JWT_VERIFY_ISSUER`. None where no app wants tokens. */
  readonly issuers: readonly string[]
  readonly gateway: {
    /** `HOST` and `GATEWAY_ALLOWED_HOSTS`: hosts that the gateway serves besides this machine's own. */
    readonly allowedHosts: readonly string[]
  }
  /** `CONSOLE_PORT`, default 0: any free port. Undefined in production mode and with `CONSOLE_ENABLED=false`. */
  readonly consolePort: number | undefined
  /** `TAPROOM_STATE_DIR`, default `.taproom` in the folder of the system: keys, SQLite file, Kafka log. Absolute. */
  readonly stateDir: string
}

/**
 * Reads the configuration of `pnpm start` for a system.
 *
 * @throws {ConfigError} when variables are invalid, naming all of them, or production mode has no key of its own
 */
export function readConfig(env: Env, folders: Folders, system: System): StartConfig {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    // The development key, the resource API and the state are for this machine alone unless HOST says otherwise.
    const host = read.string('HOST', { default: '127.0.0.1' })
    const brought = new Set(needsOf(system).filter((need) => isBrought(need, read)))
    const kubePort = platformOf(system) === undefined ? undefined : port(read, 'KUBE_PORT', 8001)
    const hasConsole = read.boolean('CONSOLE_ENABLED', { default: true }) && kernel.mode === 'development'
    const consolePort = hasConsole ? port(read, 'CONSOLE_PORT', 0) : undefined
    const ports = portVariables(system, brought).map(({ name, variable, default: absent }) => {
      return { name, variable, port: port(read, variable, absent) }
    })
    const config: StartConfig = {
      ...kernel,
      http: { ...kernel.http, host },
      gateway: { allowedHosts: [host, ...allowedHosts(read)] },
      kubePort,
      ports: Object.fromEntries(ports.map(({ name, port }) => [name, port])),
      portsByVariable: {
        PORT: kernel.http.port,
        ...(kubePort !== undefined && { KUBE_PORT: kubePort }),
        ...(consolePort !== undefined && { CONSOLE_PORT: consolePort }),
        ...Object.fromEntries(ports.map(({ variable, port }) => [variable, port])),
      },
      brought,
      issuers: acceptedIssuers(read, system, brought),
      consolePort,
      stateDir: readStateDir(read, folders),
    }
    requireKey(read, config)
    samePorts(read, config.portsByVariable)
    return config
  })
}

/** Whether no variable says where the real one is. */
function isBrought({ variables, enabledBy }: Need, read: EnvReader): boolean {
  const isNamed = variables.some((name) => read.optionalString(name) !== undefined)
  return !isNamed && (enabledBy === undefined || read.boolean(enabledBy, { default: true }))
}

/** Whether tokens are verified with the development key. */
export function hasDevelopmentKey({ brought }: Pick<StartConfig, 'brought'>): boolean {
  return [...brought].some(({ developmentIssuer }) => developmentIssuer !== undefined)
}

function acceptedIssuers(read: EnvReader, system: System, brought: ReadonlySet<Need>): readonly string[] {
  const issuer = developmentIssuerOf(system)
  if (issuer === undefined) return []
  return hasDevelopmentKey({ brought }) ? [issuer] : readIssuers(read)
}

/** `MP_JWT_VERIFY_ISSUER`, a list. */
function readIssuers(read: EnvReader): readonly string[] {
  return read.list('mp.jwt.verify.issuer')
}

/** The issuer that `MP_JWT_VERIFY_ISSUER` names for tokens which are signed here, the first one. @throws {ConfigError} */
export function namedIssuer(env: Env): string | undefined {
  return parseEnv(env, readIssuers)[0]
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

/** The port variable of every process that will run, stand-ins first. */
function portVariables({ standIns, apps }: System, brought: ReadonlySet<Need>) {
  const needed = new Set([...brought].map(({ standIn }) => standIn))
  const processes: readonly (readonly [string, Pick<StandIn, 'port'>])[] = [
    ...Object.entries(standIns).filter(([name]) => needed.has(name)),
    ...Object.keys(apps).map((name) => [name, {}] as const),
  ]
  return processes.map(([name, { port }]) => ({
    name,
    ...(port ?? { variable: `${variableOf(name)}_PORT`, default: 0 }),
  }))
}

/** Names and addresses without port, as in a `Host` header. */
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
export function readStateDir(read: EnvReader, { cwd, root }: Folders): string {
  return resolve(cwd, read.string('TAPROOM_STATE_DIR', { default: join(root, '.taproom') }))
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
