export type Variables = Readonly<Record<string, string | undefined>>

/** Facts from which `pnpm start` makes the environment of a process. */
export interface Place {
  /** The port for the process to listen on. */
  readonly port: number
  /** `host:port` of a stand-in. */
  address(standIn: string): string
  /** Path of one of the files and folders that the system keeps. */
  kept(name: string): string
  readonly given: Variables
  /** Whether `pnpm start` meets the need itself. */
  brings(need: Need): boolean
  /** The issuer of development tokens. */
  readonly issuer: { readonly url: string; readonly publicKeyFile: string }
}

/** A process that `pnpm start` runs in place of something real. */
export interface StandIn {
  /** File to run, from the root of the repository. */
  readonly main: string
  /** A fixed port and the variable that changes it. Default: any free port. */
  readonly port?: { readonly variable: string; readonly default: number }
  /** Its variables besides `HOST`, `PORT` and those that `pnpm start` was given. */
  env?(place: Place): Variables
}

/** A part of the surroundings that an app needs, such as Kafka or a key; variables say where it is. */
export interface Need {
  /** Pods that have it bear the label `taproom.dev/needs-{name}`, which network policies select by. */
  readonly name: string
  /** Properties that name a real one when any is set: `kafka.bootstrap.servers`, or its variable KAFKA_BOOTSTRAP_SERVERS. */
  readonly variables: readonly [string, ...string[]]
  /** A boolean property: when false, `pnpm start` meets the need in no case. */
  readonly enabledBy?: string
  /** The stand-in that meets it under `pnpm start` and in `deploy/compose.yaml`. */
  readonly standIn?: string
  /** Path of the base URL of the stand-in; undefined when it does not speak HTTP. */
  readonly path?: string
  /** Variables of the app when `pnpm start` meets the need. */
  local(place: Place): Variables
  /** Source of the variables in pods: a key of a Secret for the first of them, or entries of the app's ConfigMap, by overlay. */
  readonly cluster:
    | { readonly secret: string; readonly key: string }
    | { readonly base?: Variables; readonly development: Variables; readonly production?: Variables }
  /** Met by the key of `pnpm run token`, which production mode refuses. */
  readonly developmentKey?: true
  /** Whether pods reach it over HTTPS outside the cluster. */
  readonly overHttps?: boolean
  /**
   * In `deploy/compose.yaml`: the value of the first variable, the anchor there that has it together with others, if there is one, and the
   * services that must be healthy or done before.
   */
  readonly compose: {
    readonly value: string
    readonly anchor?: string
    readonly after: Readonly<Record<string, 'healthy' | 'done'>>
  }
}

/** One service of the system: `apps/{name}`. */
export interface App {
  /** Its `config.ts`, by which deploy checks try the environment of its pods. */
  config?(): Promise<{ readConfig(env: Variables): object }>
  /** Paths at the one base URL. A path ending in `/*` stands for all below it. */
  readonly serves?: readonly string[]
  /** Links of the first page: descriptions by path. */
  readonly links?: Readonly<Record<string, string>>
  /** How long an answer may take, in seconds. 0 is no limit. Default 10. */
  readonly timeoutSeconds?: number
  readonly needs?: readonly Need[]
  /** Its variables under `pnpm start` besides those of its needs. */
  env?(place: Place): Variables
  /** How it runs on a cluster; undefined when the cluster has a substitute for it. */
  readonly cluster?: {
    /** Request and limit in Kubernetes' units: `50m to 500m`. */
    readonly cpu: `${string} to ${string}`
    readonly memory: `${string} to ${string}`
    /**
     * How many pods. `never two`: one, also during a rollout. `fixed`: one, until an operator changes the number. `scaled elsewhere`: by
     * an autoscaler of its own. `cpuPercent`: 2 to 10, by the use of the processor.
     */
    readonly pods: 'never two' | 'fixed' | 'scaled elsewhere' | { readonly cpuPercent: number }
    readonly env?: Readonly<Record<string, string>>
    /** Variables of the production overlay besides. */
    readonly production?: Readonly<Record<string, string>>
  }
}

/** A subscriber: a Knative Service that runs an app of the image `event-sinks`, and its trigger. */
export interface Sink {
  readonly app: string
  /** The trigger's name. */
  readonly trigger: string
  /** Attributes that an event must have to be sent to it. */
  readonly filter: Readonly<Record<string, string>>
}

export interface System {
  readonly standIns: Readonly<Record<string, StandIn>>
  readonly apps: Readonly<Record<string, App>>
  /** By the name of the Knative Service. */
  readonly sinks: Readonly<Record<string, Sink>>
  /** Workspaces of images that hold several; the first is run when the container gets no arguments. */
  readonly images: Readonly<Record<string, readonly string[]>>
  /** Files and folders that services keep from one `pnpm start` to the next; `--fresh` removes them. */
  readonly keeps: readonly string[]
  /** Commands that show what the system does; `token` is shell code that prints a token. */
  tryIt(url: string, token: string): readonly string[]
}

/**
 * Checks a description and returns it.
 *
 * @throws {RangeError} when two apps serve one path, or a need names a stand-in that does not exist
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

/** Every need once, in the order of the apps. */
export function needsOf({ apps }: System): readonly Need[] {
  return [...new Set(Object.values(apps).flatMap(({ needs = [] }) => needs))]
}

/** The variable of a property, by MicroProfile's rule; also of other names. */
export function variableOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()
}
