import type { Overview } from '../../src/api/system.ts'

/** Calls, records and events that a part received in the last ten seconds. */
export interface Traffic {
  readonly rate: number
  readonly errorRate: number
  /** The longest p95 among its callers. */
  readonly p95Ms: number | undefined
}

/** Undefined for a part that nothing leads to. `id` is that of its node in the picture. */
export function trafficOf(overview: Overview | undefined, id: string): Traffic | undefined {
  const own = (overview?.edges ?? []).filter(({ to }) => to === id)
  if (own.length === 0) return undefined
  const times = own.flatMap(({ p95Ms }) => p95Ms ?? [])
  return {
    rate: own.reduce((sum, { rate }) => sum + rate, 0),
    errorRate: own.reduce((sum, { errorRate }) => sum + errorRate, 0),
    p95Ms: times.length === 0 ? undefined : Math.max(...times),
  }
}
