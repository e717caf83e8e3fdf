import type { CheckKind } from '@taproom/http'
import type { CheckReport, HealthCheck, HealthReport, HealthStatus } from './check.ts'
import { assertMilliseconds } from './errors.ts'
import { createProbe, type Probe } from './probe.ts'

/** Which checks a report covers: one kind, or all of them. */
export type HealthKind = CheckKind | 'all'

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
  /**
   * Whether checks are still to be registered. Until `allRegistered` is called, readiness and startup answer without any
   * checks: DOWN, or what the next two say. Default: false.
   */
  readonly awaitChecks?: boolean
  /** `mp.health.default.readiness.empty.response`: readiness while checks are awaited. Default: DOWN. */
  readonly emptyReadiness?: HealthStatus
  /** `mp.health.default.startup.empty.response`: startup while checks are awaited. Default: DOWN. */
  readonly emptyStartup?: HealthStatus
}

/** The checks of one service. */
export interface Health {
  /** Runs the checks of a kind side by side. Never rejects. */
  report(kind: HealthKind): Promise<HealthReport>
  /** The report of a named group; undefined when there is no such group. */
  groupReport(name: string): Promise<HealthReport | undefined>
  /** Names of the groups, in the order given. */
  readonly groups: readonly string[]
  /**
   * Adds a check to a kind or, as `{ group }`, to a group, which begins with its first check. Returns what removes it again.
   *
   * @throws InvalidHealthOptionError for a check without a name or with an impossible limit
   */
  register(to: CheckKind | { readonly group: string }, check: HealthCheck): () => void
  /** With `awaitChecks`: all checks are registered now, and reports tell what they find. */
  allRegistered(): void
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
  const { shutdown, cacheMs = 500, emptyReadiness = 'DOWN', emptyStartup = 'DOWN' } = options
  assertMilliseconds('cacheMs', cacheMs, 0)
  const disabled = new Set(options.disabled)
  const probes = new WeakMap<HealthCheck, Probe>()
  let awaiting = options.awaitChecks ?? false

  /** A check that is in several places is one probe. */
  function probe(check: HealthCheck): Probe {
    const known = probes.get(check) ?? createProbe(check, cacheMs)
    probes.set(check, known)
    return known
  }
  const probesOf = (checks: readonly HealthCheck[] = []) => checks.filter(({ name }) => !disabled.has(name)).map(probe)

  const kinds: Record<CheckKind, Probe[]> = {
    live: probesOf([...(options.alive === false ? [] : [alive]), ...(options.liveness ?? [])]),
    ready: probesOf(options.readiness),
    started: probesOf(options.startup),
    well: probesOf(options.wellness),
  }
  const groups = new Map(Object.entries(options.groups ?? {}).map(([name, checks]) => [name, probesOf(checks)]))

  function listOf(to: CheckKind | { readonly group: string }): Probe[] {
    if (typeof to === 'string') return kinds[to]
    const known = groups.get(to.group) ?? []
    groups.set(to.group, known)
    return known
  }

  function probesIn(kind: HealthKind): Iterable<Probe> {
    if (kind !== 'all') return awaiting && (kind === 'ready' || kind === 'started') ? [] : kinds[kind]
    const lists = awaiting ? [kinds.live] : [...Object.values(kinds), ...groups.values()]
    return new Set(lists.flat())
  }

  /** What a kind is besides its checks. */
  function stateOf(kind: HealthKind): HealthStatus {
    const ready = awaiting ? emptyReadiness : 'UP'
    const started = awaiting ? emptyStartup : 'UP'
    if (kind === 'all') return ready === 'UP' && started === 'UP' ? 'UP' : 'DOWN'
    if (kind === 'ready') return ready
    return kind === 'started' ? started : 'UP'
  }

  return {
    get groups() {
      return [...groups.keys()]
    },
    async report(kind) {
      const reports = await Promise.all([...probesIn(kind)].map((run) => run()))
      const concerned = kind === 'ready' || kind === 'all'
      return summarise(concerned && shutdown?.aborted ? [...reports, draining] : reports, stateOf(kind))
    },
    async groupReport(name) {
      const group = groups.get(name)
      return group && summarise(await Promise.all(group.map((run) => run())), 'UP')
    },
    register(to, check) {
      const [added] = probesOf([check])
      if (added === undefined) return () => {}
      const list = listOf(to)
      list.push(added)
      return () => {
        const index = list.indexOf(added)
        if (index >= 0) list.splice(index, 1)
      }
    },
    allRegistered() {
      awaiting = false
    },
  }
}

function summarise(checks: readonly CheckReport[], state: HealthStatus): HealthReport {
  return { status: state === 'UP' && checks.every((check) => check.status === 'UP') ? 'UP' : 'DOWN', checks }
}
