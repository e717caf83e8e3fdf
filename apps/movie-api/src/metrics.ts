import type { MetricSink } from '@taproom/resilience'
import { methodNotAllowed } from '@taproom/service'
import { Router } from 'express'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly sink: MetricSink
  readonly routes: Router
}

/** MicroProfile Fault Tolerance's buckets, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** The process's own metrics and those of the policies, served in Prometheus' text format at `GET /q/metrics`. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // prom-client wants a metric's label names in advance; they are known when its first value comes.
  const once = <M>(create: (settings: Settings) => M) => {
    const known = new Map<string, M>()
    return (name: string, tags: object, suffix = ''): M => {
      const metric = known.get(name)
      if (metric !== undefined) return metric
      const settings = { name: name.replaceAll('.', '_') + suffix, help: name, labelNames: Object.keys(tags) }
      const created = create({ ...settings, registers: [registry] })
      known.set(name, created)
      return created
    }
  }
  const counter = once((settings) => new Counter(settings))
  const gauge = once((settings) => new Gauge(settings))
  const histogram = once((settings) => new Histogram({ ...settings, buckets: BUCKETS }))

  return {
    sink: {
      add: (name, tags, by) => counter(name, tags).inc(tags, by),
      set: (name, tags, value) => gauge(name, tags).set(tags, value),
      observe: (name, tags, seconds) => histogram(name, tags, '_seconds').observe(tags, seconds),
    },
    routes: metricsRoutes(registry),
  }
}

interface Settings {
  readonly name: string
  readonly help: string
  readonly labelNames: string[]
  readonly registers: Registry[]
}

function metricsRoutes(registry: Registry): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/q/metrics')
    .get(async (_req, res) => {
      const body = Buffer.from(await registry.metrics())
      res.writeHead(200, { 'content-type': registry.contentType, 'content-length': body.length })
      res.end(body)
    })
    .all(methodNotAllowed('GET', 'HEAD'))
  return router
}
