/** One of `GET /api/services` */
export interface ServiceView {
  readonly name: string
  readonly kind: 'app' | 'stand-in' | 'sink' | 'console'
  /** As `pnpm service list` says; a sink is always `ready`, as it is there while the event platform runs it. */
  readonly state: string
  readonly pid?: number | undefined
  readonly port?: number | undefined
  /** How often it ended by itself. */
  readonly crashes: number
  /** When it last did so. */
  readonly crashedAt?: number | undefined
  /** How often it was started again, by whatever cause. */
  readonly restarts: number
  readonly startedAt?: number | undefined
  /** Used part of one core: 0.5 is half of it. */
  readonly cpu?: number | undefined
  readonly memoryBytes?: number | undefined
  /** Readiness checks that are DOWN. */
  readonly failing: readonly HealthCheckView[]
}

export interface HealthCheckView {
  readonly name: string
  readonly status: 'UP' | 'DOWN'
  readonly data?: Readonly<Record<string, unknown>>
}

/** One of `GET /api/sinks` */
export interface SinkView {
  readonly namespace: string
  readonly name: string
  /** The app that it runs, by whose name its lines are known. */
  readonly app: string
  /** The latest revision; empty as long as there is none. */
  readonly revision: string
  /** `asleep` without instances: the next event starts one. */
  readonly state: 'ready' | 'starting' | 'asleep' | 'not ready'
  /** Why it is not ready. */
  readonly reason?: string
  /** Processes of `GET /api/services`; a revision before the latest one finishes its requests. */
  readonly instances: readonly { readonly pid: number; readonly revision: string }[]
  readonly lastCrash?: {
    readonly at: number
    readonly revision: string
    /** How the instance ended: its fatal line, if it wrote one. */
    readonly reason: string
    /** The line of the log that has the cause, else the one about the crash. */
    readonly line: LogLine
  }
}

/** One of `GET /api/services/{name}/configuration` */
export interface VariableView {
  readonly name: string
  /** `[hidden]` for a secret; undefined when it is not set and has no default. */
  readonly value?: string
  /** `environment`: of `pnpm start`; `system`: `system.ts` sets it; `start`: the address of what `pnpm start` brings. */
  readonly from: 'environment' | 'system' | 'start' | 'default'
  readonly expected?: string
}

/** One of `GET /api/logs` */
export interface LogLine {
  /** Grows by one from line to line. */
  readonly id: number
  readonly time: number
  readonly service: string
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'
  readonly msg: string
  readonly traceId?: string
  readonly spanId?: string
  /** Everything else of the line. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** `GET /api/logs/counts` */
export interface LogCounts {
  /** Length of each interval. */
  readonly stepMs: number
  /** Intervals with lines, by time: how many lines of each level begin in it. */
  readonly items: readonly (Readonly<Record<LogLine['level'], number>> & {
    /** When the interval begins. */
    readonly time: number
  })[]
}

/** `GET /api/health`: what the health page shows. */
export interface HealthView {
  readonly services: readonly {
    readonly name?: string
    /** By kind: `live`, `ready`, `started`, `well`, and `group/<name>` for each group. */
    readonly reports?: Readonly<Record<string, { readonly checks: readonly HealthCheckView[] }>>
    /** Why there are no reports. */
    readonly error?: string
  }[]
}
