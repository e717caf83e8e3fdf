import { RELOADED } from '@taproom/start/control'
import type { Eventing } from '../api/eventing.ts'
import type { Overview, PictureEdge } from '../api/system.ts'
import { recent } from '../http/recent.ts'
import type { Lag } from '../kafka/groups.ts'
import type { LogStore } from '../logs/log-store.ts'
import type { Breakers, GuardedCalls } from './breakers.ts'
import { type Declarations, declaredEdges } from './declared-edges.ts'
import { type EdgeRate, WINDOW_SECONDS } from './edge-rates.ts'
import { createEventingReader } from './eventing-objects.ts'
import { nodesOf } from './nodes.ts'
import { type PictureService, Places } from './places.ts'
import { edgeStates } from './process-edges.ts'
import { serviceId } from './span-edges.ts'
import type { Traffic } from './traffic.ts'

export interface OverviewDeps {
  readonly traffic: Pick<Traffic, 'read' | 'listenerAt'>
  /** Rejects until the control socket has answered. */
  system(): Promise<Declarations>
  /** Rejects where there is no event platform, or none that answers. */
  readonly eventing: { read(): Promise<Eventing> }
  /** The processes of the system; rejects until the control socket has answered. */
  services(): Promise<readonly PictureService[]>
  /** Never rejects. */
  lagOf?(): Promise<readonly Lag[]>
  /** Never rejects. */
  readonly breakers: Breakers
  readonly logs: Pick<LogStore, 'find'>
}

/** Clients that ask at nearly the same time share one picture. */
const AGE_MS = 200
const MAX_RELOADS = 100

export type SystemPicture = ReturnType<typeof createOverview>

export function createOverview({ traffic, system, eventing: objects, services, lagOf, breakers, logs }: OverviewDeps) {
  const readEventing = createEventingReader(objects)
  let facts: Declarations | undefined
  let known: readonly PictureService[] = []

  const make = async (): Promise<Overview> => {
    // They stay the same as long as the system runs.
    facts ??= await system()
    const [now, eventing, guarded, lags] = await Promise.all([
      services().catch(() => undefined),
      readEventing(),
      breakers.read(),
      lagOf?.() ?? ([] as const),
    ])
    known = now ?? known
    const listenerAt = (address: string) => traffic.listenerAt(address)
    const places = new Places({ services: known, eventing, system: facts, listenerAt })
    const stateOf = edgeStates(known, facts)
    const seen = traffic.read()
    const declared = declaredEdges(facts, { services: known, eventing, places, seen })
    const edges = edgesOf(seen, declared, { places, lags }).map((edge) => ({
      ...edge,
      state: stateOf(edge),
      ...guardAlong(edge, guarded, places),
    }))
    return { nodes: nodesOf({ services: now, eventing, system: facts, edges, reloaded: reloadedLately(logs) }), edges }
  }
  return recent(AGE_MS, make)
}

/** Names of services that began to run changed sources within the last ten seconds. */
function reloadedLately(logs: Pick<LogStore, 'find'>): ReadonlySet<string> {
  const since = Date.now() - WINDOW_SECONDS * 1000
  const lines = logs.find({ text: RELOADED, since }, { limit: MAX_RELOADS })
  return new Set(lines.filter(({ msg }) => msg === RELOADED).map(({ service }) => service))
}

/** The breaker and the fallback of an edge's calls. */
function guardAlong(
  { from, to, kind }: Pick<PictureEdge, 'from' | 'to' | 'kind'>,
  guarded: readonly GuardedCalls[],
  places: Places,
): Pick<PictureEdge, 'breaker' | 'fallbackRate'> {
  if (kind !== 'http') return {}
  const own = guarded.filter(
    (each) => each.to !== undefined && places.nodeOf(each.to) === to && places.nodeOf(serviceId(each.service)) === from,
  )
  const fallbackRate = own.reduce((sum, each) => sum + each.fallbackRate, 0)
  const { breaker } = own.find((each) => each.breaker !== undefined && each.breaker.state !== 'closed') ?? own[0] ?? {}
  return {
    ...(fallbackRate > 0 && { fallbackRate }),
    ...(breaker && { breaker: { name: breaker.name, state: breaker.state, ...retryOf(breaker) } }),
  }
}

function retryOf({ retryAt }: Pick<NonNullable<PictureEdge['breaker']>, 'retryAt'>) {
  return retryAt !== undefined && { retryAt }
}

function edgesOf(
  seen: readonly EdgeRate[],
  declared: readonly EdgeRate[],
  { places, lags }: { readonly places: Places; readonly lags: readonly Lag[] },
): readonly Omit<PictureEdge, 'state'>[] {
  const merged = new Map<string, EdgeRate & { readonly isSeen: boolean }>()
  for (const rate of [...seen, ...declared]) {
    const from = places.nodeOf(rate.from)
    const to = places.nodeOf(rate.to)
    if (from === undefined || to === undefined || from === to) continue
    const key = `${rate.kind} ${from} ${to}`
    const same = merged.get(key)
    merged.set(key, {
      ...rate,
      from,
      to,
      isSeen: same?.isSeen ?? seen.includes(rate),
      count: rate.count + (same?.count ?? 0),
      failed: rate.failed + (same?.failed ?? 0),
      durations: [...rate.durations, ...(same?.durations ?? [])],
      groups: [...rate.groups, ...(same?.groups ?? [])],
    })
  }
  return [...merged.values()].map(({ from, to, kind, isSeen, count, failed, durations, groups }) => {
    const p95Ms = p95(durations)
    const lag = lagAlong(from, groups, lags)
    return {
      from,
      to,
      kind,
      rate: count / WINDOW_SECONDS,
      errorRate: failed / WINDOW_SECONDS,
      ...(!isSeen && { isDeclared: true as const }),
      ...(p95Ms !== undefined && { p95Ms }),
      ...(lag !== undefined && { lag }),
    }
  })
}

function p95(durations: readonly number[]): number | undefined {
  const sorted = [...durations].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)]
}

function lagAlong(from: string, groups: readonly string[], lags: readonly Lag[]): PictureEdge['lag'] {
  const topic = from.replace(/^topic\//, '').replace(/^broker\/([^/]+)\//, 'knative-broker.$1.')
  const own = lags.filter((lag) => lag.topic === topic && groups.includes(lag.groupId))
  if (own.length === 0) return undefined
  return {
    count: own.reduce((sum, { count }) => sum + count, 0),
    isExact: own.every(({ isExact }) => isExact),
    isGrowing: own.some(({ isGrowing }) => isGrowing),
  }
}
