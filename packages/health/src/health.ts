import type { HealthCheck, HealthStatus } from '@taproom/core/health'
import type { CheckKind } from '@taproom/http'
import { type CachedCheck, createCachedCheck } from './cached-check.ts'
import type { CheckReport, HealthReport } from './check.ts'
import { assertMilliseconds } from './errors.ts'

/** One kind of checks, or all of them. */
export type HealthKind = CheckKind | 'all'

export interface HealthOptions {
  /** Is the process itself fine? Do not check dependencies here: a restart does not repair them. */
  readonly liveness?: readonly HealthCheck[]
  /** Can the service do its work now? One check for each dependency. */
  readonly readiness?: readonly HealthCheck[]
  /** Has the service finished starting? */
  readonly startup?: readonly HealthCheck[]
  /** Useful to know, but no reason to restart or to withhold traffic. */
  readonly wellness?: readonly HealthCheck[]
  /** Named sets of checks; a check listed only here belongs to no kind. */
  readonly groups?: Readonly<Record<string, readonly HealthCheck[]>>
  /** Names of checks to leave out, wherever they are listed; even `I'm alive`, the liveness check of every service. */
  readonly disabled?: readonly string[]
  /** Once aborted, readiness is DOWN, so that the service gets no new traffic while it stops. */
  readonly shutdown?: AbortSignal
  /**
   * How long the outcome of a check without a `cacheMs` of its own is reused, in ms; until the check has been UP once, 50 at most.
   * Default: 500. 0 turns it off.
   */
  readonly cacheMs?: number
  /**
   * Whether checks will be registered later. Until `allRegistered` is called, readiness and startup run no checks and are DOWN, or what the
   * next two options say. Default: false.
   */
  readonly awaitChecks?: boolean
  /** `mp.health.default.readiness.empty.response`: readiness while checks are awaited. Default: DOWN. */
  readonly emptyReadiness?: HealthStatus
  /** `mp.health.default.startup.empty.response`: startup while checks are awaited. Default: DOWN. */
  readonly emptyStartup?: HealthStatus
}

export type Health = ReturnType<typeof createHealth>

const ALIVE: HealthCheck = { name: "I'm alive", check: () => ({ status: 'UP' }) }

const DRAINING: CheckReport = {
  name: 'Graceful shutdown',
  status: 'DOWN',
  data: { reason: 'the service is shutting down' },
}

/**
 * Gathers the health checks of a service (MicroProfile Health 4).
 *
 * Many probes do not burden a dependency: a check runs at most once at a time, its outcome is kept for `cacheMs`, and each run has a time
 * limit. A check that throws or hangs is DOWN, and the others are still reported.
 *
 * @throws {InvalidHealthOptionError} when a check has no name or an invalid limit
 */
export function createHealth(options: HealthOptions = {}) {
  const { shutdown, cacheMs = 500, emptyReadiness = 'DOWN', emptyStartup = 'DOWN' } = options
  assertMilliseconds('cacheMs', cacheMs, 0)
  const disabled = new Set(options.disabled)
  const known = new WeakMap<HealthCheck, CachedCheck>()
  let awaiting = options.awaitChecks ?? false

  /** A check that is listed several times runs once for all of them. */
  function cached(check: HealthCheck): CachedCheck {
    const existing = known.get(check) ?? createCachedCheck(check, cacheMs)
    known.set(check, existing)
    return existing
  }
  const cachedChecksOf = (checks: readonly HealthCheck[] = []) =>
    checks.filter(({ name }) => !disabled.has(name)).map(cached)

  const kinds: Record<CheckKind, CachedCheck[]> = {
    live: cachedChecksOf([ALIVE, ...(options.liveness ?? [])]),
    ready: cachedChecksOf(options.readiness),
    started: cachedChecksOf(options.startup),
    well: cachedChecksOf(options.wellness),
  }
  const groups = new Map(Object.entries(options.groups ?? {}).map(([name, checks]) => [name, cachedChecksOf(checks)]))

  function checksIn(kind: HealthKind): Iterable<CachedCheck> {
    if (kind !== 'all') return awaiting && (kind === 'ready' || kind === 'started') ? [] : kinds[kind]
    const lists = awaiting ? [kinds.live] : [...Object.values(kinds), ...groups.values()]
    return new Set(lists.flat())
  }

  /** The state of a kind apart from its checks. */
  function stateOf(kind: HealthKind): HealthStatus {
    const ready = awaiting ? emptyReadiness : 'UP'
    const started = awaiting ? emptyStartup : 'UP'
    if (kind === 'all') return ready === 'UP' && started === 'UP' ? 'UP' : 'DOWN'
    if (kind === 'ready') return ready
    return kind === 'started' ? started : 'UP'
  }

  return {
    /** Names of the groups, in their order. */
    groups: [...groups.keys()],
    /** Runs the checks of a kind in parallel. Never rejects. */
    async report(kind: HealthKind): Promise<HealthReport> {
      const reports = await Promise.all([...checksIn(kind)].map((run) => run()))
      const concerned = kind === 'ready' || kind === 'all'
      return summarise(concerned && shutdown?.aborted ? [...reports, DRAINING] : reports, stateOf(kind))
    },
    /** The report of a named group; undefined when there is no such group. */
    async groupReport(name: string): Promise<HealthReport | undefined> {
      const group = groups.get(name)
      return group && summarise(await Promise.all(group.map((run) => run())), 'UP')
    },
    /**
     * Adds a check to a kind. Returns a function that removes it.
     *
     * @throws {InvalidHealthOptionError} when a check has no name or an invalid limit
     */
    register(kind: CheckKind, check: HealthCheck): () => void {
      const [added] = cachedChecksOf([check])
      if (added === undefined) return () => {}
      const list = kinds[kind]
      list.push(added)
      return () => {
        const index = list.indexOf(added)
        if (index >= 0) list.splice(index, 1)
      }
    },
    /** With `awaitChecks`: all checks are registered, so reports may use them. */
    allRegistered(): void {
      awaiting = false
    },
  }
}

function summarise(checks: readonly CheckReport[], state: HealthStatus): HealthReport {
  return { status: state === 'UP' && checks.every((check) => check.status === 'UP') ? 'UP' : 'DOWN', checks }
}
