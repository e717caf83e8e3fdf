import type { CheckOutcome, CheckReport, HealthCheck, HealthReport } from './check.ts'
import { assertMilliseconds, InvalidHealthOptionError } from './errors.ts'
import { runCheck } from './run-check.ts'

/** Which checks a report covers: one kind, or all of them. */
export type HealthKind = 'live' | 'ready' | 'started' | 'well' | 'all'

/** Options of {@link createHealth}. */
export interface HealthOptions {
  /** Is the process itself fine? Never ask a dependency here: a restart does not repair it. */
  readonly liveness?: readonly HealthCheck[]
  /** Can the service do its work now? One check for each dependency. */
  readonly readiness?: readonly HealthCheck[]
  /** Has the service finished starting? */
  readonly startup?: readonly HealthCheck[]
  /** Worth knowing, but no reason to restart or to withhold traffic. */
  readonly wellness?: readonly HealthCheck[]
  /** Named sets of checks for special audiences; a check listed only here is in no other kind. */
  readonly groups?: Readonly<Record<string, readonly HealthCheck[]>>
  /** Names of checks to leave out, wherever they are listed. */
  readonly disabled?: readonly string[]
  /** Whether the liveness check `I'm alive` is added. Default: true. */
  readonly alive?: boolean
  /** While aborted, readiness is DOWN: the service drains and wants no new traffic. */
  readonly shutdown?: AbortSignal
  /** How long an outcome is given again without running the check, in milliseconds. Default: 500. 0 turns it off. */
  readonly cacheMs?: number
}

/** The checks of one service. */
export interface Health {
  /** Runs the checks of a kind side by side. Never rejects. */
  report(kind: HealthKind): Promise<HealthReport>
  /** The report of a named group; undefined when there is no such group. */
  groupReport(name: string): Promise<HealthReport | undefined>
  /** Names of the groups, in the order given. */
  readonly groups: readonly string[]
}

const alive: HealthCheck = { name: "I'm alive", check: () => ({ status: 'UP' }) }

const draining: CheckReport = {
  name: 'Graceful shutdown',
  status: 'DOWN',
  data: { reason: 'the service is shutting down' },
}

/**
 * Gathers the health checks of a service (MicroProfile Health 4).
 *
 * Probes can not hurt a dependency: a check runs once at a time however many ask, its outcome is kept for `cacheMs`, and
 * each run has its own limit. A check that throws or hangs is DOWN, and the others are reported all the same.
 *
 * @throws InvalidHealthOptionError for a check without a name or with an impossible limit
 */
export function createHealth(options: HealthOptions = {}): Health {
  const { shutdown, cacheMs = 500 } = options
  assertMilliseconds('cacheMs', cacheMs, 0)
  const disabled = new Set(options.disabled)
  const probes = new Map<HealthCheck, Probe>()
  const probe = (check: HealthCheck): Probe => {
    const known = probes.get(check) ?? createProbe(check, cacheMs)
    probes.set(check, known)
    return known
  }
  const enabled = (checks: readonly HealthCheck[] = []) => checks.filter(({ name }) => !disabled.has(name)).map(probe)

  const kinds = {
    live: enabled([...(options.alive === false ? [] : [alive]), ...(options.liveness ?? [])]),
    ready: enabled(options.readiness),
    started: enabled(options.startup),
    well: enabled(options.wellness),
  }
  const groups = new Map(Object.entries(options.groups ?? {}).map(([name, checks]) => [name, enabled(checks)]))
  const all = new Set([...Object.values(kinds), ...groups.values()].flat())

  return {
    groups: [...groups.keys()],
    async report(kind) {
      const reports = await Promise.all([...(kind === 'all' ? all : kinds[kind])].map((run) => run()))
      const concerned = kind === 'ready' || kind === 'all'
      return summarise(concerned && shutdown?.aborted ? [...reports, draining] : reports)
    },
    async groupReport(name) {
      const group = groups.get(name)
      return group && summarise(await Promise.all(group.map((run) => run())))
    },
  }
}

/** Gives the state of one check, from a run or from the cache. Never rejects. */
type Probe = () => Promise<CheckReport>

function summarise(checks: readonly CheckReport[]): HealthReport {
  return { status: checks.every((check) => check.status === 'UP') ? 'UP' : 'DOWN', checks }
}

/** A check that runs once at a time and whose outcome is given again for `cacheMs`. */
function createProbe(check: HealthCheck, cacheMs: number): Probe {
  if (typeof check.name !== 'string' || check.name === '') {
    throw new InvalidHealthOptionError(`a health check must have a name, got ${String(check.name)}`)
  }
  if (check.timeoutMs !== undefined) assertMilliseconds(`timeoutMs of "${check.name}"`, check.timeoutMs, 1)
  let running: Promise<CheckReport> | undefined
  let last: { report: CheckReport; at: number } | undefined

  const toReport = (outcome: CheckOutcome): CheckReport => {
    const report = { name: check.name, ...outcome }
    last = { report, at: performance.now() }
    running = undefined
    return report
  }
  return async () => {
    if (last !== undefined && performance.now() - last.at < cacheMs) return last.report
    running ??= runCheck(check).then(toReport)
    return running
  }
}
