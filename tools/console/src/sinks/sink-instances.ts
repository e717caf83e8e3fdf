import type { LogLine, SinkView } from '../api/services.ts'
import type { LogStore } from '../logs/log-store.ts'
import { failureAmong } from '../verdicts/failure-lines.ts'

/** The messages of event-platform about an instance: what each line has as `sink`, `revision` and `pid`. */
const RUNNING = 'sink instance running'
const STOPPED = 'sink instance stopped'
const CRASHED = 'sink instance crashed'
const COMMON = 'sink instance '
const MAX_LINES = 10_000
/** Lines of an app in which the cause of a crash is looked for, before event-platform's line about the crash. */
const CAUSE = { ms: 60_000, lines: 50 }

export interface KnownInstance {
  /** `namespace/name` of the sink. */
  readonly sink: string
  readonly revision: string
}

export type LastCrash = NonNullable<SinkView['lastCrash']>

/** Instances of sinks and their crashes, by the lines of event-platform. */
export class SinkInstances {
  readonly #logs: Pick<LogStore, 'after' | 'find' | 'lastId'>
  readonly #platform: string | undefined
  readonly #running = new Map<number, KnownInstance>()
  readonly #crashes = new Map<string, LogLine>()
  #sampled: ReadonlySet<number> = new Set()
  #readTo = 0

  /** `platform` is the name of the app that runs the sinks; undefined in a system without. */
  constructor(logs: Pick<LogStore, 'after' | 'find' | 'lastId'>, platform: string | undefined) {
    this.#logs = logs
    this.#platform = platform
  }

  /**
   * Reads the lines since the last time. Sinks that are not among the given ones are forgotten, and instances once they are gone: the
   * given ones may have been read before the line of a new one came.
   */
  update(pids: ReadonlySet<number>, sinks: ReadonlySet<string>): void {
    if (this.#platform === undefined) return
    const filter = { service: this.#platform, text: COMMON }
    for (const line of this.#logs.after(this.#readTo, filter, MAX_LINES)) this.#take(line)
    this.#readTo = this.#logs.lastId
    for (const pid of this.#sampled) if (!pids.has(pid)) this.#running.delete(pid)
    this.#sampled = pids
    for (const sink of this.#crashes.keys()) if (!sinks.has(sink)) this.#crashes.delete(sink)
  }

  /** The instance that a process is; undefined while its line has not come. */
  instance(pid: number): KnownInstance | undefined {
    return this.#running.get(pid)
  }

  /** The last crash of a sink that runs this app. */
  lastCrash(sink: string, app: string): LastCrash | undefined {
    const line = this.#crashes.get(sink)
    if (line === undefined) return undefined
    const { time, fields } = line
    const { reason, code, signal, revision } = fields
    const during = { service: app, since: time - CAUSE.ms, until: time + 1 }
    const cause = failureAmong(this.#logs.find(during, { limit: CAUSE.lines }))?.line
    const ending = typeof signal === 'string' ? `it ended with ${signal}` : `it ended with code ${String(code)}`
    return {
      at: time,
      revision: String(revision ?? ''),
      reason: typeof reason === 'string' ? reason : ending,
      line: cause ?? line,
    }
  }

  #take(line: LogLine): void {
    const { sink, revision, pid } = line.fields
    if (typeof sink !== 'string' || typeof pid !== 'number') return
    if (line.msg === RUNNING) this.#running.set(pid, { sink, revision: String(revision ?? '') })
    if (line.msg === STOPPED || line.msg === CRASHED) this.#running.delete(pid)
    if (line.msg === CRASHED) this.#crashes.set(sink, line)
  }
}
