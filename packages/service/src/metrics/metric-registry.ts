import type { TraceIds } from '@taproom/core/spans'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, type RegistryContentType } from 'prom-client'

export type MetricTags = Readonly<Record<string, string>>

/** The state of a metric for one answer. */
export interface MetricSnapshot {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly values: readonly { readonly labels: Partial<Record<string, string | number>>; readonly value: number }[]
}

export interface Observed {
  readonly seconds: number
  /** The exemplar of the duration's bucket, if it is of a trace that is exported. */
  readonly trace?: TraceIds | undefined
  /** Default: the metric's name. */
  readonly help?: string
}

/** Upper bounds of histogram buckets, in seconds: those of MicroProfile Fault Tolerance and OpenTelemetry, plus two finer ones. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Most series of one metric; all further ones share one, so that no caller can fill the memory. */
const MAX_SERIES = 500

interface Recorded<M> {
  readonly metric: M
  readonly series: Set<string>
}

/** The metrics of one service and its process, in a registry of prom-client. */
export class MetricRegistry {
  /** A registry of OpenMetrics, because others refuse exemplars. */
  readonly #registry = registryOf(Registry.OPENMETRICS_CONTENT_TYPE)
  readonly #counters = new Map<string, Recorded<Counter>>()
  readonly #gauges = new Map<string, Recorded<Gauge>>()
  readonly #histograms = new Map<string, Recorded<Histogram>>()
  #isProcessMeasured = false

  add(name: string, tags: MetricTags, by: number): void {
    const recorded = recordedIn(this.#counters, name, () => new Counter(this.#described(name, name, tags)))
    recorded.metric.inc(within(recorded, tags), by)
  }

  set(name: string, tags: MetricTags, value: number): void {
    const recorded = recordedIn(this.#gauges, name, () => new Gauge(this.#described(name, name, tags)))
    recorded.metric.set(within(recorded, tags), value)
  }

  observe(name: string, tags: MetricTags, { seconds, trace, help = name }: Observed): void {
    const recorded = recordedIn(this.#histograms, name, () => {
      const described = this.#described(`${name}_seconds`, help, tags)
      return new Histogram({ ...described, buckets: BUCKETS, enableExemplars: true })
    })
    const labels = within(recorded, tags)
    recorded.metric.observe({ labels, value: seconds, exemplarLabels: { ...trace } })
  }

  #described(name: string, help: string, tags: MetricTags) {
    return { name: prometheusName(name), help, labelNames: Object.keys(tags), registers: [this.#registry] }
  }

  /** An answer in Prometheus' text format or in OpenMetrics, with the metrics of the process, measured from the first answer on. */
  async text(watched: readonly MetricSnapshot[], isOpenMetrics: boolean) {
    if (!this.#isProcessMeasured) collectDefaultMetrics({ register: this.#registry })
    this.#isProcessMeasured = true
    const contentType = isOpenMetrics ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE
    const answer = registryOf(contentType)
    for (const { name } of this.#registry.getMetricsAsArray()) {
      const metric = this.#registry.getSingleMetric(name)
      // For OpenMetrics a registry renames its counters for good: each answer has counters of its own.
      if (metric instanceof Counter) fill(answer, { ...(await metric.get()), type: 'counter' })
      else if (metric !== undefined) answer.registerMetric(metric)
    }
    // prom-client shows a metric without labels as 0 before it has a value.
    for (const snapshot of merged(watched)) if (snapshot.values.length > 0) fill(answer, snapshot)
    return { contentType, text: await answer.metrics() }
  }
}

function registryOf(contentType: RegistryContentType) {
  const registry = new Registry<RegistryContentType>()
  registry.setContentType(contentType)
  return registry
}

function prometheusName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_:]/g, '_')
}

function recordedIn<M>(all: Map<string, Recorded<M>>, name: string, open: () => M): Recorded<M> {
  const known = all.get(name)
  if (known !== undefined) return known
  const opened = { metric: open(), series: new Set<string>() }
  all.set(name, opened)
  return opened
}

/** The tags themselves while there is room for their series. */
function within({ series }: Recorded<unknown>, tags: MetricTags): MetricTags {
  const key = Object.values(tags).join('\n')
  if (series.has(key)) return tags
  if (series.size === MAX_SERIES) return Object.fromEntries(Object.keys(tags).map((name) => [name, 'other']))
  series.add(key)
  return tags
}

/** Several parts of a service, such as two guards, may watch one metric: its values are those of all. */
function merged(watched: readonly MetricSnapshot[]): Iterable<MetricSnapshot> {
  const all = new Map<string, MetricSnapshot>()
  for (const snapshot of watched) {
    const known = all.get(snapshot.name)
    all.set(snapshot.name, known === undefined ? snapshot : { ...known, values: [...known.values, ...snapshot.values] })
  }
  return all.values()
}

function fill(registry: Registry<RegistryContentType>, { name, help, type, values }: MetricSnapshot): void {
  const labelNames = [...new Set(values.flatMap(({ labels }) => Object.keys(labels)))]
  const described = { name: prometheusName(name), help, labelNames, registers: [registry] }
  const metric = type === 'counter' ? new Counter(described) : new Gauge(described)
  for (const { labels, value } of values) {
    if (metric instanceof Counter) metric.inc(labels, value)
    else metric.set(labels, value)
  }
}
