import type { LogCounts } from '../api/services.ts'
import { type KeptLine, LEVELS } from './kept-line.ts'

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const DAY = 24 * HOUR
/** Lengths of intervals that people can read. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND],
  ...[MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY],
]

export interface CountsRange {
  /** Default: the earliest line. */
  readonly from?: number | undefined
  /** Default: after the latest line. */
  readonly to?: number | undefined
  /** Most intervals within the range; one that is begun at its end comes on top. */
  readonly intervals: number
}

/** Counts lines by level in intervals of equal length. */
export function logCounts(
  lines: readonly Pick<KeptLine, 'time' | 'severity'>[],
  { from, to, intervals }: CountsRange,
): LogCounts {
  let [first, last] = [from ?? Number.POSITIVE_INFINITY, to ?? Number.NEGATIVE_INFINITY]
  for (const { time } of lines) {
    if (from === undefined) first = Math.min(first, time)
    if (to === undefined) last = Math.max(last, time + 1)
  }
  if (last <= first) return { stepMs: SECOND, items: [] }
  const wanted = (last - first) / intervals
  const stepMs = STEPS.find((step) => step >= wanted) ?? Math.ceil(wanted / DAY) * DAY
  const counts = new Map<number, Record<(typeof LEVELS)[number], number>>()
  for (const { time, severity } of lines) {
    const start = Math.floor(time / stepMs) * stepMs
    const count = counts.get(start) ?? { trace: 0, debug: 0, info: 0, warn: 0, error: 0, fatal: 0 }
    count[LEVELS[severity] ?? 'info'] += 1
    counts.set(start, count)
  }
  const items = [...counts].sort(([a], [b]) => a - b).map(([time, count]) => ({ time, ...count }))
  return { stepMs, items }
}
