/** One bucket of a histogram: how many were at most `bound`, and above the bound before it. */
export interface Bucket {
  readonly bound: number
  readonly count: number
}

/**
 * The value below which the part `q` of what was counted lies, as Prometheus' `histogram_quantile` has it: evenly spread within its bucket,
 * and the last bound for what is beyond it. Undefined when nothing was counted. `buckets` are by their bounds.
 */
export function quantile(buckets: readonly Bucket[], q: number): number | undefined {
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  if (!(total > 0)) return undefined
  const rank = q * total
  let below = 0
  let start = 0
  for (const { bound, count } of buckets) {
    if (count > 0 && below + count >= rank) {
      return Number.isFinite(bound) ? start + ((bound - start) * (rank - below)) / count : start
    }
    below += count
    if (Number.isFinite(bound)) start = bound
  }
  return start
}
