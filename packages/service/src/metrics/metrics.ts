import { reasonOf } from '@taproom/core/lines'
import { tracing } from '@taproom/core/spans'
import { CHECK_KINDS, type CheckKind, MANAGEMENT_PATHS, servePaths } from '@taproom/http'
import { exportedTrace, measureRequests } from './http-metrics.ts'
import type { MetricRegistry, MetricSnapshot, MetricTags } from './metric-registry.ts'

const MOST_WARNINGS = 20

export interface WatchedValue {
  readonly tags: MetricTags
  readonly value: number
}

export interface WatchOptions {
  readonly type: 'counter' | 'gauge'
  /** One sentence, shown in the answer. */
  readonly help: string
}

export type Metrics = ReturnType<typeof createMetrics>

/** The part of \@taproom/health's `Health` that metrics need. */
export interface ReportsHealth {
  report(kind: CheckKind): Promise<{ readonly checks: readonly { readonly name: string; readonly status: string }[] }>
}

/**
 * The metrics of one service, in Prometheus' terms. Dots in names become underscores, as MicroProfile maps its names. Every call for one name
 * must give the same tags in the same order. A metric keeps 500 series; all further ones are one series whose tags are all `other`.
 *
 * They have a registry of prom-client of their own, loaded with the first value, which is after a service's first answer. Requests have
 * Micrometer's names (`http_server_requests_seconds`), as in Quarkus; the process has prom-client's (`process_*`, `nodejs_*`), measured only
 * from the first answer on, to cost nothing in a service that is not scraped; with `health`, `health_check_status` is 1 for each check that
 * is UP, 0 for one that is DOWN.
 */
export function createMetrics({ health }: { readonly health?: ReportsHealth } = {}) {
  const watched: (() => Promise<MetricSnapshot>)[] = []
  const waiting: ((registry: MetricRegistry) => void)[] = []
  const warnings = new Set<string>()
  let registry: MetricRegistry | undefined
  let loading: Promise<MetricRegistry> | undefined

  async function load(): Promise<MetricRegistry> {
    const { MetricRegistry: Loaded } = await import('./metric-registry.ts')
    registry = new Loaded()
    for (const record of waiting.splice(0)) tryTo(record, registry)
    return registry
  }

  /** prom-client costs as much as starting the rest of a small service: values wait for it to be loaded. */
  function whenLoaded(record: (registry: MetricRegistry) => void): void {
    if (registry === undefined) waiting.push(record)
    else tryTo(record, registry)
    loading ??= load()
  }

  /** prom-client refuses a value, for example a counter that decreases or other tags: that must not fail the caller or the other values. */
  function tryTo(record: (registry: MetricRegistry) => void, loaded: MetricRegistry): void {
    try {
      record(loaded)
    } catch (error) {
      const warning = `a metric's value is not recorded: ${reasonOf(error)}`
      if (warnings.size < MOST_WARNINGS && !warnings.has(warning)) process.emitWarning(warning, 'MetricWarning')
      if (warnings.size < MOST_WARNINGS) warnings.add(warning)
    }
  }

  const watch = (
    name: string,
    options: WatchOptions,
    read: () => Iterable<WatchedValue> | Promise<Iterable<WatchedValue>>,
  ): void => {
    watched.push(async () => {
      const values = [...(await read())].map(({ tags, value }) => ({ labels: tags, value }))
      return { name, ...options, values }
    })
  }
  if (health !== undefined) {
    const help = 'Whether a health check is UP (1) or DOWN (0).'
    watch('health_check_status', { type: 'gauge', help }, () => checkStates(health))
  }

  const help = 'How long requests took, from their head to the end of the answer.'
  return {
    /** Adds to a counter. */
    add: (name: string, tags: MetricTags, by: number): void => whenLoaded((loaded) => loaded.add(name, tags, by)),
    /** Sets a gauge. */
    set: (name: string, tags: MetricTags, value: number): void => whenLoaded((loaded) => loaded.set(name, tags, value)),
    /** Adds a duration to the histogram `<name>_seconds`. */
    observe(name: string, tags: MetricTags, seconds: number): void {
      const trace = exportedTrace(tracing()?.active())
      whenLoaded((loaded) => loaded.observe(name, tags, { seconds, trace }))
    },
    /** A metric whose values are read for every answer. */
    watch,
    /** `GET /q/metrics`, in Prometheus' text format, or in OpenMetrics where `Accept` names that; one of the routes of the app. */
    routes: servePaths('GET', {
      async [MANAGEMENT_PATHS.metrics](req, res) {
        loading ??= load()
        const read = await Promise.all(watched.map((one) => one()))
        const isOpenMetrics = req.headers.accept?.includes('application/openmetrics-text') ?? false
        const { contentType, text } = await (await loading).text(read, isOpenMetrics)
        const body = Buffer.from(text)
        res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': body.length, 'Cache-Control': 'no-store' })
        res.end(body)
      },
    }),
    /** Measures requests; an app puts it first. */
    measure: measureRequests((tags, seconds, trace) =>
      whenLoaded((loaded) => loaded.observe('http_server_requests', tags, { seconds, trace, help })),
    ),
  }
}

/** One value for each name, which becomes the tag `tag`, after the other `tags`. */
export function byTag(tag: string, values: Readonly<Record<string, number>>, tags: MetricTags = {}): WatchedValue[] {
  return Object.entries(values).map(([name, value]) => ({ tags: { ...tags, [tag]: name }, value }))
}

/** Checks of the same name and kind share a series, which is UP when all of them are. */
async function checkStates(health: ReportsHealth): Promise<Iterable<WatchedValue>> {
  const states = new Map<string, WatchedValue>()
  const reports = await Promise.all(CHECK_KINDS.map((kind) => health.report(kind)))
  for (const [index, { checks }] of reports.entries()) {
    for (const { name, status } of checks) {
      const tags = { kind: CHECK_KINDS[index] ?? '', check: name }
      const key = `${tags.kind} ${name}`
      const value = Math.min(status === 'UP' ? 1 : 0, states.get(key)?.value ?? 1)
      states.set(key, { tags, value })
    }
  }
  return states.values()
}
