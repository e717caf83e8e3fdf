import type { ServerResponse } from 'node:http'
import { MANAGEMENT_PATHS, type RequestHandler, servePaths } from '@taproom/http'
import type { Metric, Registry } from 'prom-client'
import type { MetricSnapshot } from './metric-family.ts'

/** `GET /q/metrics`: the metrics that `read` gives, and those of the process, in Prometheus' text format. */
export function metricsRoutes(read: () => Promise<readonly MetricSnapshot[]>): RequestHandler {
  let loading: ReturnType<typeof loadExposition> | undefined

  async function answer(_req: unknown, res: ServerResponse): Promise<void> {
    loading ??= loadExposition()
    const { contentType, write } = await loading
    const body = Buffer.from(await write(await read()))
    res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': body.length, 'Cache-Control': 'no-store' })
    res.end(body)
  }

  return servePaths('GET', { [MANAGEMENT_PATHS.metrics]: answer })
}

/** Loads prom-client, which costs as much as starting the rest of a small service, when somebody asks for metrics. */
async function loadExposition() {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const processMetrics = new Registry()
  collectDefaultMetrics({ register: processMetrics })
  return {
    contentType: processMetrics.contentType,
    async write(snapshots: readonly MetricSnapshot[]) {
      const own = new Registry()
      for (const snapshot of snapshots) register(own, snapshot)
      return `${await own.metrics()}\n${await processMetrics.metrics()}`
    },
  }
}

function register(registry: Registry, snapshot: MetricSnapshot): void {
  const metric = { ...snapshot, get: () => Promise.resolve(snapshot) }
  // All a registry asks of a metric is its name and `get`; the declared type names prom-client's own four classes.
  registry.registerMetric(metric as unknown as Metric)
}
