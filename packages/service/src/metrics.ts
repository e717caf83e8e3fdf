import { CHECK_KINDS, type CheckKind, type RequestHandler } from '@taproom/http'
import { measureRequests } from './http-metrics.ts'
import { MetricFamily, type MetricSnapshot, type MetricTags, type MetricType } from './metric-family.ts'
import { metricsRoutes } from './metrics-routes.ts'

/** A value that is read for an answer. */
export interface WatchedValue {
  readonly tags: MetricTags
  readonly value: number
}

/** What a watched metric is. */
export interface WatchOptions {
  readonly type: 'counter' | 'gauge'
  /** One sentence for whoever reads the answer. */
  readonly help: string
}

/**
 * The metrics of one service, in Prometheus' words. Dots in names become underscores, as MicroProfile's names are written there. Every
 * call for one name gives the same tags in the same order. A metric keeps 500 series; further ones count as one, all of whose tags
 * are `other`.
 */
export interface Metrics {
  /** Adds to a counter. */
  add(name: string, tags: MetricTags, by: number): void
  /** Sets a gauge. */
  set(name: string, tags: MetricTags, value: number): void
  /** Puts a duration, in seconds, into the histogram `<name>_seconds`. */
  observe(name: string, tags: MetricTags, seconds: number): void
  /** A metric that is read anew for every answer. */
  watch(name: string, options: WatchOptions, read: () => Iterable<WatchedValue> | Promise<Iterable<WatchedValue>>): void
  /** `GET /q/metrics`, in Prometheus' text format; one of the routes of the app. */
  readonly routes: RequestHandler
  /** Measures the requests it sees; an app puts it first. */
  readonly measure: RequestHandler
}

/** The part of \@taproom/health's `Health` that metrics need. */
export interface ReportsHealth {
  report(kind: CheckKind): Promise<{ readonly checks: readonly { readonly name: string; readonly status: string }[] }>
}

/**
 * Metrics with a registry of their own: requests under Micrometer's names (`http_server_requests_seconds`), as Quarkus has them; the process
 * under prom-client's (`process_*`, `nodejs_*`), from the first answer on, so that a service nobody scrapes pays nothing for them; with `health`,
 * `health_check_status` is 1 for each check that is UP and 0 for one that is DOWN.
 */
export function createMetrics({ health }: { readonly health?: ReportsHealth } = {}): Metrics {
  const families = new Map<string, MetricFamily>()
  const watched: (() => Promise<MetricSnapshot>)[] = []

  function family(name: string, type: MetricType, suffix = ''): MetricFamily {
    const known = families.get(name)
    if (known !== undefined) return known
    const created = new MetricFamily({ name: prometheusName(name) + suffix, help: name, type })
    families.set(name, created)
    return created
  }

  const watch: Metrics['watch'] = (name, options, read) => {
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
    add: (name, tags, by) => {
      family(name, 'counter').series(tags).value += by
    },
    set: (name, tags, value) => {
      family(name, 'gauge').series(tags).value = value
    },
    observe: (name, tags, seconds) => family(name, 'histogram', '_seconds').series(tags).observe(seconds),
    watch,
    routes: metricsRoutes(async () => [
      ...[...families.values()].map((known) => known.snapshot()),
      ...(await Promise.all(watched.map((read) => read()))),
    ]),
    measure: measureRequests(requests),
  }
}

function prometheusName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_:]/g, '_')
}

/** Checks of one name and kind are one series, which is UP when all of them are. */
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
