import type { TraceIds } from '@taproom/spans'

/** The labels of one series: names and values. */
export type MetricTags = Readonly<Record<string, string>>

export type MetricType = 'counter' | 'gauge' | 'histogram'

export interface Sample {
  /** Default: the metric's name. */
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  readonly exemplar?: Exemplar | undefined
}

/** One of the durations that a bucket counts, with the trace that it is of; shown in OpenMetrics alone. */
export interface Exemplar {
  readonly labelSet: TraceIds
  readonly value: number
  /** Seconds since 1970. */
  readonly timestamp: number
}

/** The state of a metric for one answer. */
export interface MetricSnapshot {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  readonly values: readonly Sample[]
}

/** Upper bounds of histogram buckets, in seconds: those of MicroProfile Fault Tolerance and OpenTelemetry, plus two finer ones. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Most series of one metric; all further ones share one, so that no caller can fill the memory. */
const MAX_SERIES = 500

/** One series of a counter, gauge or histogram; hot paths keep it to avoid the look-up. */
export class MetricSeries {
  value = 0
  readonly tags: MetricTags
  private readonly buckets: number[]
  private readonly exemplars: (Exemplar | undefined)[] = []

  constructor(tags: MetricTags, type: MetricType) {
    this.tags = tags
    this.buckets = type === 'histogram' ? Array.from({ length: BUCKETS.length + 1 }, () => 0) : []
  }

  /** Adds a duration to a histogram, as its bucket's exemplar if it is of a trace that is exported. */
  observe(seconds: number, labelSet?: TraceIds): void {
    this.value += seconds
    let bucket = 0
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1
    if (labelSet !== undefined) this.exemplars[bucket] = { labelSet, value: seconds, timestamp: Date.now() / 1000 }
  }

  samples(name: string): Sample[] {
    const { tags, value } = this
    if (this.buckets.length === 0) return [{ labels: tags, value }]
    let count = 0
    const buckets = this.buckets.map((inBucket, index) => {
      count += inBucket
      const labels = { ...tags, le: BUCKETS[index] ?? '+Inf' }
      return { metricName: `${name}_bucket`, labels, value: count, exemplar: this.exemplars[index] }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: tags, value },
      { metricName: `${name}_count`, labels: tags, value: count },
    ]
  }
}

export class MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  private readonly known = new Map<string, MetricSeries>()
  private readonly ofFrozen = new WeakMap<MetricTags, MetricSeries>()
  private rest: MetricSeries | undefined

  constructor({ name, help, type }: Pick<MetricSnapshot, 'name' | 'help' | 'type'>) {
    this.name = name
    this.help = help
    this.type = type
  }

  /** The series of these tags; every call must give them in the same order. Tags that are frozen are found by themselves from then on. */
  series(tags: MetricTags): MetricSeries {
    const found = this.ofFrozen.get(tags)
    if (found !== undefined) return found
    const series = this.find(tags)
    if (Object.isFrozen(tags)) this.ofFrozen.set(tags, series)
    return series
  }

  private find(tags: MetricTags): MetricSeries {
    const key = Object.values(tags).join('\n')
    const known = this.known.get(key)
    if (known !== undefined) return known
    if (this.known.size < MAX_SERIES) return this.open(key, tags)
    this.rest ??= this.open('', other(tags))
    return this.rest
  }

  private open(key: string, tags: MetricTags): MetricSeries {
    const series = new MetricSeries(tags, this.type)
    this.known.set(key, series)
    return series
  }

  snapshot(): MetricSnapshot {
    const { name, help, type } = this
    return { name, help, type, values: [...this.known.values()].flatMap((series) => series.samples(name)) }
  }
}

function other(tags: MetricTags): MetricTags {
  return Object.fromEntries(Object.keys(tags).map((name) => [name, 'other']))
}
