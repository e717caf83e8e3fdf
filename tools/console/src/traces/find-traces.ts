import type { TraceGroup, TraceSummary } from '../api/traces.ts'
import { summaryOf } from './summary.ts'
import type { TraceFilter } from './trace-filter.ts'
import { inTurns, type StoredTrace, type TraceStore } from './trace-store.ts'

type Test = (trace: StoredTrace) => boolean

/** Traces that changed after a version and match: those that began last, the last one first. */
export async function findTraces(store: TraceStore, filter: TraceFilter, since = 0): Promise<readonly TraceSummary[]> {
  const isOlder = filter.before === undefined ? () => true : isBefore(store.get(filter.before))
  const isWanted: Test = (trace) => isOlder(trace) && filter.matches(trace)
  const found = await summariesOf(store.newestFirst(since), isWanted)
  return found.sort((a, b) => b.startedAt - a.startedAt).slice(0, filter.limit)
}

/** Traces in the order of their starts; of two with one start, the one that was heard of first comes first. */
function isBefore(last: StoredTrace | undefined): Test {
  // A trace that made room for others was older than all that are kept.
  if (last === undefined) return () => false
  const { startedAt } = summaryOf(last)
  return (trace) => {
    const difference = summaryOf(trace).startedAt - startedAt
    return difference === 0 ? trace.number < last.number : difference < 0
  }
}

async function summariesOf(traces: readonly StoredTrace[], isWanted: Test): Promise<TraceSummary[]> {
  const found: TraceSummary[] = []
  for await (const trace of inTurns(traces)) if (isWanted(trace)) found.push(summaryOf(trace))
  return found
}

/** All traces that match, by the names and services of their first spans; the group with the most traces first. */
export async function groupTraces(store: TraceStore, filter: TraceFilter): Promise<readonly TraceGroup[]> {
  const found = await summariesOf(store.newestFirst(), filter.matches)
  const groups = Map.groupBy(found, ({ name, service }) => JSON.stringify([name, service]))
  return [...groups.values()]
    .map(groupOf)
    .sort((a, b) => b.traces - a.traces)
    .slice(0, filter.limit)
}

function groupOf(summaries: readonly TraceSummary[]): TraceGroup {
  const byDuration = summaries.toSorted((a, b) => a.durationMs - b.durationMs)
  const [{ name, service } = { name: '', service: '' }] = summaries
  const at = (part: number) => byDuration[Math.ceil(byDuration.length * part) - 1]?.durationMs ?? 0
  return {
    ...{ name, service },
    traces: summaries.length,
    failed: summaries.filter(({ errors }) => errors > 0).length,
    ...{ p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) },
    slowest: byDuration.at(-1)?.traceId ?? '',
    lastAt: Math.max(...summaries.map(({ startedAt }) => startedAt)),
  }
}
