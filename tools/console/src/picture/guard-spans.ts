import type { BreakerChange } from '../api/breakers.ts'
import type { SpanView } from '../api/traces.ts'
import type { StoredTrace, TraceStore } from '../traces/trace-store.ts'
import { breakerState } from './breaker-checks.ts'
import { passagesOf } from './span-edges.ts'

const SCOPE = '@taproom/resilience'
const MAX_GUARDS = 100
const MAX_CHANGES = 50
const WINDOW_MS = 10_000
/** Fallbacks of the last ten seconds that are counted of one guard. */
const MAX_FALLBACKS = 5000
/** Spans between a call and its guard that are looked through. */
const MAX_DEPTH = 4

/** The guard of a service's calls to a remote, as the spans of `@taproom/resilience` show it. */
export interface GuardView {
  readonly service: string
  readonly name: string
  /** Where its calls went, as an end of an edge; undefined until one has been seen. */
  readonly to?: string
  readonly fallbackRate: number
  readonly changes: readonly BreakerChange[]
}

export type NamedGuard = Pick<GuardView, 'service' | 'name'>

/** True for a guard and a check of one service that have one name, in any case. */
export function isSameGuard(one: NamedGuard, other: NamedGuard): boolean {
  return one.service === other.service && one.name.toLowerCase() === other.name.toLowerCase()
}

interface Guard {
  readonly service: string
  readonly name: string
  to?: string
  readonly changes: BreakerChange[]
  /** When answers by the fallback came here, in milliseconds, the oldest first: the service's clock may be off. */
  readonly fallbacks: number[]
}

/** Learns from spans what guards do: where their calls go, answers by the fallback, changes of the breaker's state. */
export class GuardSpans implements Disposable {
  readonly #guards = new Map<string, Guard>()
  readonly #watching: Disposable

  constructor(store: Pick<TraceStore, 'get' | 'watch'>) {
    this.#watching = store.watch((spans) => {
      for (const span of spans) if (span.scope === SCOPE) this.#take(span, store.get(span.traceId))
    })
  }

  read(now: number): readonly GuardView[] {
    return [...this.#guards.values()].map(({ service, name, to, changes, fallbacks }) => ({
      ...{ service, name, changes: [...changes] },
      ...(to !== undefined && { to }),
      fallbackRate: fallbacks.filter((at) => now - at < WINDOW_MS).length / (WINDOW_MS / 1000),
    }))
  }

  /** Notes that an open breaker has become half-open, which happens outside of all calls, and so no span says it. */
  noticeHalfOpen(named: NamedGuard, at: number): void {
    const { changes } = [...this.#guards.values()].find((guard) => isSameGuard(guard, named)) ?? {}
    if (changes?.at(-1)?.to === 'open') keep(changes, { at, from: 'open', to: 'half-open' }, MAX_CHANGES)
  }

  [Symbol.dispose](): void {
    this.#watching[Symbol.dispose]()
  }

  #take(span: SpanView, trace: StoredTrace | undefined): void {
    const guard = this.#guardOf(span)
    if (guard === undefined) return
    const to = trace && calleeOf(span, trace)
    if (to !== undefined) guard.to = to
    for (const { name, time, attributes } of span.events) {
      if (name === 'fallback') keep(guard.fallbacks, Date.now(), MAX_FALLBACKS)
      const [from, into] = [breakerState(attributes['from']), breakerState(attributes['to'])]
      if (name !== 'circuit-breaker-state' || from === undefined || into === undefined) continue
      keep(guard.changes, { at: time, from, to: into }, MAX_CHANGES)
      // Calls that go on at the same time are exported in any order.
      guard.changes.sort((one, other) => one.at - other.at)
    }
  }

  #guardOf({ service, name }: SpanView): Guard | undefined {
    const key = JSON.stringify([service, name])
    const known = this.#guards.get(key)
    if (known !== undefined || this.#guards.size >= MAX_GUARDS) return known
    const guard: Guard = { service, name, changes: [], fallbacks: [] }
    this.#guards.set(key, guard)
    return guard
  }
}

/** Where a call in the guard's span went. Its span ends, and is exported, before that of the guard. */
function calleeOf({ spanId }: SpanView, { spans }: StoredTrace): string | undefined {
  for (const span of spans.values()) {
    if (span.kind !== 'client') continue
    let parent = spans.get(span.parentSpanId ?? '')
    const direct = parent
    for (let depth = 0; depth < MAX_DEPTH && parent !== undefined; depth += 1) {
      if (parent.spanId === spanId) return passagesOf(span, direct)[0]?.to
      parent = spans.get(parent.parentSpanId ?? '')
    }
  }
  return undefined
}

function keep<T>(items: T[], item: T, most: number): void {
  items.push(item)
  if (items.length > most) items.shift()
}
