/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What `pnpm start` knows when it makes the environment of a process. */
export interface Place {
  /** The port that the process is to listen on. */
  readonly port: number
  /** `host:port` of a stand-in that runs. */
  address(standIn: string): string
  /** Path of one of the files and folders that the system keeps. */
  kept(name: string): string
  /** What the caller of `pnpm start` set. */
  readonly given: Variables
  /** Whether `pnpm start` brings what meets the need itself. */
  brings(need: Need): boolean
  /** The issuer of development tokens. */
  readonly issuer: { readonly url: string; readonly publicKeyFile: string }
}

/** A process that `pnpm start` runs in place of something real. */
export interface StandIn {
  /** File to run, from the root of the repository. */
  readonly main: string
  /** A port of its own that does not change, by its variable. Default: any free port. */
  readonly port?: { readonly variable: string; readonly default: number }
  /** Path of its API, where it has one; the port alone is no address to give away. */
  readonly path?: string
  /** What it reads besides `HOST`, `PORT` and what the caller set. */
  env?(place: Place): Variables
}

/** Something outside of an app that it cannot do without, told to it by variables. */
export interface Need {
  /** Names its label on pods, `taproom.dev/needs-{name}`, which network policies go by. */
  readonly name: string
  /** Any of these properties, when set, names a real one: `kafka.bootstrap.servers`, or its variable KAFKA_BOOTSTRAP_SERVERS. */
  readonly variables: readonly [string, ...string[]]
  /** A boolean variable: when false, `pnpm start` brings nothing although no real one is named. */
  readonly enabledBy?: string
  /** What runs in its place under `pnpm start`, and in `deploy/compose.yaml`. */
  readonly standIn?: string
  /** The variables that lead to what `pnpm start` brings. */
  local(place: Place): Variables
  /** Where a pod has the first variable from: a key of a Secret; or what the ConfigMaps of the apps have everywhere, and in each overlay. */
  readonly cluster:
    | { readonly secret: string; readonly key: string }
    | { readonly base?: Variables; readonly development: Variables; readonly production?: Variables }
  /** Met by the key of `pnpm run token`, which production mode refuses. */
  readonly developmentKey?: true
  /** Whether pods reach it over HTTPS outside the cluster. */
  readonly overHttps?: boolean
  /** The value of the first variable in `deploy/compose.yaml`, and what has to be healthy or done before. */
  readonly compose: { readonly value: string; readonly after: Readonly<Record<string, 'healthy' | 'done'>> }
}

/** What a pod asks for and may take at most, in Kubernetes' units. */
export interface PodSize {
  readonly cpu: string
  readonly cpuLimit: string
  readonly memory: string
  readonly memoryLimit: string
}

/** One service of the system: `apps/{name}`. */
export interface App {
  /** Its `config.ts`, for checks of the environments that it is given. */
  config?(): Promise<{ readConfig(env: Variables): object }>
  /** Paths at the one base URL. A path ending in `/*` stands for all below it. */
  readonly serves?: readonly string[]
  /** Links of the first page, by their path: what is there. */
  readonly links?: Readonly<Record<string, string>>
  /** Longest that an answer may take, in seconds. 0 is no limit. Default 10. */
  readonly timeoutSeconds?: number
  readonly needs?: readonly Need[]
  /** What it reads under `pnpm start` besides the variables of its needs. */
  env?(place: Place): Variables
  /** How it runs on a cluster; undefined for what a cluster has something else for. */
  readonly cluster?: {
    readonly size: PodSize
    /** How many pods: one at any time, also while it is replaced; one or more; or as many as the processor is kept busy by, in percent. */
    readonly pods: 'never two' | 'fixed' | 'scaled elsewhere' | { readonly cpuPercent: number }
    readonly env?: Readonly<Record<string, string>>
    /** Paths of the base URL that lead to it on a cluster only. */
    readonly alsoServes?: readonly string[]
  }
}

/** A subscriber: a Knative Service that runs one of the apps in the image `event-sinks`, and what it is sent. */
export interface Sink {
  readonly app: string
  /** The trigger's name. */
  readonly trigger: string
  /** Attributes that an event has to have. */
  readonly filter: Readonly<Record<string, string>>
}

/** A whole system. */
export interface System {
  readonly standIns: Readonly<Record<string, StandIn>>
  readonly apps: Readonly<Record<string, App>>
  /** By the name of the Knative Service. */
  readonly sinks: Readonly<Record<string, Sink>>
  /** Images that hold more than the one app they are named after: workspaces, the first being what runs without arguments. */
  readonly images: Readonly<Record<string, readonly string[]>>
  /** Names of the files and folders that services keep from one `pnpm start` to the next; `--fresh` forgets them. */
  readonly keeps: readonly string[]
  /** Commands that show what the system does, given its address and what prints a token. */
  tryIt(url: string, token: string): readonly string[]
}

/**
 * Checks a description and gives it back.
 *
 * @throws {RangeError} when two apps serve one path, or a need names a stand-in that is not there
 */
export function defineSystem(system: System): System {
  const servers = new Map<string, string>()
  for (const [name, { serves = [], needs = [] }] of Object.entries(system.apps)) {
    for (const path of serves) {
      const other = servers.get(path)
      if (other !== undefined) throw new RangeError(`system: ${path} is served by ${other} and by ${name}`)
      servers.set(path, name)
    }
    for (const { name: need, standIn } of needs) {
      if (standIn !== undefined && system.standIns[standIn] === undefined) {
        throw new RangeError(`system: ${need} has no stand-in ${standIn}`)
      }
    }
  }
  return system
}

/** Every need of the system once, in the order in which the apps name them. */
export function needsOf({ apps }: System): readonly Need[] {
  return [...new Set(Object.values(apps).flatMap(({ needs = [] }) => needs))]
}
