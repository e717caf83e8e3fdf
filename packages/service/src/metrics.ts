import { CHECK_KINDS, type CheckKind } from '@taproom/http'
import { tracing } from '@taproom/spans'
import { exportedTrace } from './exported-trace.ts'
import { measureRequests } from './http-metrics.ts'
import { MetricFamily, type MetricSnapshot, type MetricTags, type MetricType } from './metric-family.ts'
import { metricsRoutes } from './metrics-routes.ts'

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
 * They have their own registry: requests under Micrometer's names (`http_server_requests_seconds`), as in Quarkus; the process under
 * prom-client's (`process_*`, `nodejs_*`), measured only from the first answer on, to cost nothing in a service that is not scraped; with
 * `health`, `health_check_status`: 1 for each check that is UP, 0 for one that is DOWN.
 */
export function createMetrics({ health }: { readonly health?: ReportsHealth } = {}) {
  const families = new Map<string, MetricFamily>()
  const watched: (() => Promise<MetricSnapshot>)[] = []

  function family(name: string, type: MetricType, suffix = ''): MetricFamily {
    const known = families.get(name)
    if (known !== undefined) return known
    const created = new MetricFamily({ name: prometheusName(name) + suffix, help: name, type })
    families.set(name, created)
    return created
  }

  const watch = (
    name: string,
    options: WatchOptions,
    read: () => Iterable<WatchedValue> | Promise<Iterable<WatchedValue>>,
  ): void => {
    watched.push(async () => {
      const values = await read()
      return {
        name: prometheusName(name),
        ...options,
        values: [...values].map(({ tags, value }) => ({ labels: tags, value })),
      }
    })
  }
  if (health !== undefined) {
    const help = 'Whether a health check is UP (1) or DOWN (0).'
    watch('health_check_status', { type: 'gauge', help }, () => checkStates(health))
  }

  const requests = new MetricFamily({
    name: 'http_server_requests_seconds',
    help: 'How long requests took, from their head to the end of the answer.',
    type: 'histogram',
  })
  families.set(requests.name, requests)
  return {
    /** Adds to a counter. */
    add(name: string, tags: MetricTags, by: number): void {
      family(name, 'counter').series(tags).value += by
    },
    /** Sets a gauge. */
    set(name: string, tags: MetricTags, value: number): void {
      family(name, 'gauge').series(tags).value = value
    },
    /** Adds a duration to the histogram `<name>_seconds`. */
    observe: (name: string, tags: MetricTags, seconds: number): void =>
      family(name, 'histogram', '_seconds').series(tags).observe(seconds, exportedTrace(tracing()?.active())),
    /** A metric whose values are read for every answer. */
    watch,
    /** `GET /q/metrics`, in Prometheus' text format, or in OpenMetrics where that is asked for; one of the routes of the app. */
    routes: metricsRoutes(async () => [
      ...[...families.values()].map((known) => known.snapshot()),
      ...(await Promise.all(watched.map((read) => read()))),
    ]),
    /** Measures requests; an app puts it first. */
    measure: measureRequests(requests),
  }
}

/** One value for each name, which becomes the tag `tag`, after the other `tags`. */
export function byTag(tag: string, values: Readonly<Record<string, number>>, tags: MetricTags = {}): WatchedValue[] {
  return Object.entries(values).map(([name, value]) => ({ tags: { ...tags, [tag]: name }, value }))
}

function prometheusName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_:]/g, '_')
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
