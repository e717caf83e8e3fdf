export type Variables = Readonly<Record<string, string | undefined>>

/** Facts from which `pnpm start` makes the environment of a process. */
export interface Place {
  /** The name of the process. */
  readonly name: string
  /** The port for the process to listen on. */
  readonly port: number
  /** `host:port` of a stand-in. @throws {RangeError} when the system has none of that name */
  address(standIn: string): string
  /** Path of one of the files and folders that the system keeps. */
  kept(name: string): string
  /** The gateway's address. */
  readonly gateway: string
  readonly given: Variables
  /** True when `pnpm start` meets the need itself. */
  brings(need: Need): boolean
  /** The issuer of development tokens. */
  readonly issuer: { readonly url: string; readonly publicKeyFile: string }
}

/** A process that `pnpm start` runs in place of something real. */
export interface StandIn {
  /** File to run, from the system's folder, or what a package that `pnpm start` brings exports: `@taproom/embedded-kafka/main`. */
  readonly main: string
  /** A fixed port and the variable that changes it. Default: any free port. */
  readonly port?: { readonly variable: string; readonly default: number }
  /** Variables besides `HOST`, `PORT` and those that `pnpm start` was given. */
  env?(place: Place): Variables
}

/** A part of the surroundings that an app needs, such as Kafka or a key; variables say where it is. */
export interface Need {
  /** Pods that have it bear the label `taproom.dev/needs-{name}`, which network policies select by. */
  readonly name: string
  /** The app that has it, when another app runs that one, as the event platform runs sinks. Default: the app that lists it. */
  readonly app?: string
  /** Properties that name a real one when any is set: `kafka.bootstrap.servers`, or its variable KAFKA_BOOTSTRAP_SERVERS. */
  readonly variables: readonly [string, ...string[]]
  /** A boolean property: when false, `pnpm start` meets the need in no case. */
  readonly enabledBy?: string
  /** The stand-in that meets it under `pnpm start` and in `deploy/compose.yaml`. */
  readonly standIn?: string
  /** The stand-in itself, where the system does not list it among its own. */
  readonly process?: StandIn
  /** Path of the base URL of the stand-in; undefined when it does not speak HTTP. */
  readonly path?: string
  /** Variables of the app when `pnpm start` meets the need. */
  local(place: Place): Variables
  /** Files and folders that an app keeps then from one `pnpm start` to the next, among `keeps` of the system. */
  keeps?(app: string): readonly string[]
  /** Source of the variables in pods: a key of a Secret for the first of them, or entries of the app's ConfigMap, by overlay. */
  readonly cluster:
    | { readonly secret: string; readonly key: string }
    | { readonly base?: Variables; readonly development: Variables; readonly production?: Variables }
  /** Met by the key of `pnpm run token`, whose tokens have this `iss`; production mode refuses it. */
  readonly developmentIssuer?: string
  /** True when pods reach it over HTTPS outside the cluster. `everywhere`: in development, too, where the others have stand-ins. */
  readonly overHttps?: boolean | 'everywhere'
  /**
   * In `deploy/compose.yaml`: the value of the first variable, those of others, the anchor there that has them, if there is one, volumes as
   * Compose has them, secrets by their names, and the services that must be healthy or done before.
   */
  readonly compose: {
    readonly value: string
    readonly others?: Readonly<Record<string, string>>
    readonly anchor?: string
    readonly volumes?: readonly string[]
    /** A `file`, below the folder of `deploy/compose.yaml`, and its path in the container. One that is missing is an error. */
    readonly secrets?: Readonly<Record<string, { readonly file: string; readonly target: string }>>
    readonly after: Readonly<Record<string, 'healthy' | 'done'>>
  }
}

/** One service of the system. */
export interface App {
  /** As that of a {@link StandIn}. Default: `src/main.ts` of the folder `apps/{name}`. */
  readonly main?: string
  /** Description in one line. Default: the description of its package.json. */
  readonly description?: string
  /** The `config.ts`, by which deploy checks try the environment of its pods. */
  config?(): Promise<{ readConfig(env: Variables): object }>
  /** Paths at the one base URL. A path ending in `/*` stands for all below it. */
  readonly serves?: readonly string[]
  /** Links of the first page: descriptions by path. */
  readonly links?: Readonly<Record<string, string>>
  /** How long an answer may take, in seconds. 0 means without limit. Default 10. */
  readonly timeoutSeconds?: number
  readonly needs?: readonly Need[]
  /** Variables under `pnpm start` besides those of its needs. */
  env?(place: Place): Variables
  /** Files and folders that it keeps from one `pnpm start` to the next, among `keeps` of the system. */
  readonly keeps?: readonly string[]
  /** Fields of its container in `deploy/compose.yaml`, besides those of its needs. */
  readonly compose?: { readonly volumes?: readonly string[]; readonly tmpfs?: readonly string[] }
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
