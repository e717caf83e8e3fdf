import type { Series } from '../api/traces.ts'
import type { Family, Sample } from './prometheus-text.ts'
import { type Bucket, quantile } from './quantile.ts'

/** A value of one series at one moment. */
export interface Point extends Pick<Series, 'name' | 'labels' | 'unit'> {
  readonly value: number
}

const QUANTILES = [
  ['p50', 0.5],
  ['p95', 0.95],
  ['p99', 0.99],
] as const

/** The times of a route have no label for the outcome of its requests. */
const NOT_OF_TIMES: readonly string[] = ['status', 'outcome']

/** Metrics too detailed to read in a chart: they would be most of all series. */
const LEFT_OUT =
  /^(?:nodejs_(?:heap_space|active|version|gc)_|nodejs_eventloop_lag_(?:min|stddev|mean)|process_(?:start_time|max_fds|open_fds|virtual|heap|cpu_(?:user|system))_?|health_check_status)/

export function isKept(family: string): boolean {
  return !LEFT_OUT.test(family)
}

/** Health and metrics are asked for by machines. */
function isOfPeople({ labels }: Sample): boolean {
  return labels['uri']?.startsWith('/q/') !== true
}

/** The last counts of one service's counters and histograms; what they grew by is what is shown. */
export class ServiceReading {
  #counts = new Map<string, number>()
  #at: number | undefined

  /** The points of the metrics as they were read at `now`, in milliseconds. */
  read(families: readonly Family[], now: number): readonly Point[] {
    const seconds = this.#at === undefined ? undefined : (now - this.#at) / 1000
    const before = this.#counts
    this.#counts = new Map()
    this.#at = now
    return families.flatMap((given) => {
      const family = { ...given, samples: given.samples.filter(isOfPeople) }
      const grown = (sample: Sample) => this.#grown(sample, before)
      if (family.type === 'histogram') return this.#histogram(family, grown, seconds)
      if (family.type === 'counter') return rates(family.name, family.samples, grown, seconds)
      return family.samples.map(gauge)
    })
  }

  /** The growth of a counter; a counter that fell started again at zero. Zero for a new counter, whose beginning is unknown. */
  #grown(sample: Sample, before: ReadonlyMap<string, number>): number {
    const key = keyOf(sample.name, sample.labels)
    const last = before.get(key)
    this.#counts.set(key, sample.value)
    // The service was read before: the counter began at zero since then.
    if (last === undefined) return before.size > 0 ? sample.value : 0
    return sample.value >= last ? sample.value - last : sample.value
  }

  #histogram(family: Family, grown: (sample: Sample) => number, seconds: number | undefined): readonly Point[] {
    const { name, samples } = family
    const counts = samples.filter((sample) => sample.name === `${name}_count`)
    const points = rates(name, counts, grown, seconds)
    const groups = new Map<string, { readonly labels: Sample['labels']; readonly buckets: Map<number, number> }>()
    let last = { key: '', count: 0 }
    for (const sample of samples) {
      if (sample.name !== `${name}_bucket`) continue
      const { le = '', ...series } = sample.labels
      const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)
      const count = grown(sample)
      const seriesKey = keyOf(name, series)
      // Buckets have those below them, too; a series' own follow each other by their bounds.
      const own = seriesKey === last.key ? Math.max(0, count - last.count) : count
      last = { key: seriesKey, count }
      const labels = Object.fromEntries(Object.entries(series).filter(([label]) => !NOT_OF_TIMES.includes(label)))
      const key = keyOf(name, labels)
      const group = groups.get(key) ?? { labels, buckets: new Map() }
      groups.set(key, group)
      group.buckets.set(bound, (group.buckets.get(bound) ?? 0) + own)
    }
    if (seconds === undefined) return points
    const [unit, factor] = unitOf(name)
    for (const { labels, buckets } of groups.values()) {
      const sorted = [...buckets].map(([bound, count]): Bucket => ({ bound, count })).sort((a, b) => a.bound - b.bound)
      for (const [suffix, q] of QUANTILES) {
        const value = (quantile(sorted, q) ?? Number.NaN) * factor
        points.push({ name: `${name}_${suffix}`, labels, unit, value })
      }
    }
    return points
  }
}

function rates(
  name: string,
  samples: readonly Sample[],
  grown: (sample: Sample) => number,
  seconds: number | undefined,
): Point[] {
  return samples.flatMap((sample) => {
    const by = grown(sample)
    if (seconds === undefined || seconds <= 0) return []
    return [{ name: `${name}_rate`, labels: sample.labels, unit: 'per second' as const, value: by / seconds }]
  })
}

function gauge({ name, labels, value }: Sample): Point {
  const [unit, factor] = unitOf(name)
  return { name, labels, unit, value: value * factor }
}

function unitOf(name: string): readonly [Series['unit'], number] {
  if (name.endsWith('_seconds')) return ['ms', 1000]
  if (name.endsWith('_bytes')) return ['bytes', 1]
  return [name.endsWith('_ratio') ? 'ratio' : 'count', 1]
}

export function keyOf(name: string, labels: Sample['labels']): string {
  return JSON.stringify([name, ...Object.entries(labels).flat()])
}
