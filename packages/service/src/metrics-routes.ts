import type { IncomingMessage, ServerResponse } from 'node:http'
import { MANAGEMENT_PATHS, type RequestHandler, servePaths } from '@taproom/http'
import type { Metric, RegistryContentType } from 'prom-client'
import type { MetricSnapshot } from './metric-family.ts'

/**
 * `GET /q/metrics`: the metrics that `read` gives, and those of the process, in Prometheus' text format, or in OpenMetrics, which has
 * exemplars, for callers whose `Accept` names it.
 */
export function metricsRoutes(read: () => Promise<readonly MetricSnapshot[]>): RequestHandler {
  let loading: ReturnType<typeof loadExposition> | undefined

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    loading ??= loadExposition()
    const isOpenMetrics = req.headers.accept?.includes('application/openmetrics-text') ?? false
    const { contentType, text } = await (await loading)(await read(), isOpenMetrics)
    const body = Buffer.from(text)
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
  return async (snapshots: readonly MetricSnapshot[], isOpenMetrics: boolean) => {
    const registry = new Registry<RegistryContentType>()
    if (isOpenMetrics) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
    for (const snapshot of [...snapshots, ...(await processMetrics.getMetricsAsJSON())]) {
      // All a registry asks of a metric is its name, which OpenMetrics has it change, and `get`; the declared type names prom-client's own classes.
      const metric = { ...snapshot, get: () => Promise.resolve(metric) }
      registry.registerMetric(metric as unknown as Metric)
    }
    return { contentType: registry.contentType, text: await registry.metrics() }
  }
}
