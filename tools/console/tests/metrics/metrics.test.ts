import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBareApp, createLogger, createMetrics, type HttpServer, listen } from '@taproom/service'
import { readSse, startHttpServer, startProcess, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import type { Series } from '../../src/api/traces.ts'
import { Attention } from '../../src/metrics/attention.ts'
import { MetricsReader, type MetricsTarget } from '../../src/metrics/metrics-reader.ts'
import { metricsRoutes } from '../../src/metrics/metrics-routes.ts'
import { BEARER, openConsole } from '../fixtures/console.ts'

const MOVIE_API = new URL('../../../../apps/movie-api/src/main.ts', import.meta.url)

/** A console that reads these services ten times a second while somebody looks. */
async function openMetrics(services: readonly MetricsTarget[], { idleIntervalMs = 100, bootstrapServers = '' } = {}) {
  const opened = new AsyncDisposableStack()
  const attention = new Attention()
  const reader = opened.use(
    new MetricsReader({
      services: async () => services,
      system: async () => ({ bootstrapServers }),
      ...{ attention, intervalMs: 100, idleIntervalMs },
    }),
  )
  const server = opened.use(await openConsole(metricsRoutes(reader, attention)))
  return {
    url: server.url,
    read: async (query = '') => {
      const response = await fetch(`${server.url}/api/metrics${query}`, { headers: BEARER })
      return ((await response.json()) as { items: readonly Series[] }).items
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A service with the metrics of every service, and some of its own. */
async function startShop() {
  const metrics = createMetrics()
  const app = createBareApp({
    log: createLogger('shop', { level: 'silent' }),
    metrics,
    routes: [
      metrics.routes,
      (req, res, next) => {
        if (req.url !== '/beer') return next()
        req.route = { path: '/beer' }
        res.end('one')
      },
    ],
  })
  const server: HttpServer = await listen(app, { host: '127.0.0.1', port: 0, drainMs: 500 })
  return { ...server, metrics, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** The newest value of a curve. */
function last(series: Series | undefined): number | undefined {
  return series?.values.findLast((value) => value !== null) ?? undefined
}

describe('the metrics of the console', () => {
  it('have rate and times of each route, event-loop lag and heap, as a real service tells them', async () => {
    await using shop = await startShop()
    await using console = await openMetrics([{ name: 'shop', port: shop.port }])
    const find = async (name: string) => (await console.read(`?name=${name}`))[0]
    const rate = await waitFor('a rate', async () => {
      await fetch(`${shop.url}/beer`)
      const found = (await console.read('?name=http_server_requests_seconds_rate')).find(
        ({ labels }) => labels['uri'] === '/beer',
      )
      return (last(found) ?? 0) > 0 ? found : undefined
    })
    expect(rate).toMatchObject({ service: 'shop', unit: 'per second', labels: { method: 'GET', status: '200' } })
    for (const quantile of ['p50', 'p95', 'p99']) {
      const times = (await console.read(`?name=http_server_requests_seconds_${quantile}`)).find(
        ({ labels }) => labels['uri'] === '/beer',
      )
      expect(times).toMatchObject({ unit: 'ms', labels: { method: 'GET', uri: '/beer' } })
      expect(last(times)).toBeGreaterThan(0)
      expect(times?.labels['status']).toBeUndefined()
    }
    expect(await find('nodejs_eventloop_lag_p99_seconds')).toMatchObject({ unit: 'ms' })
    expect(last(await find('nodejs_heap_size_used_bytes'))).toBeGreaterThan(1_000_000)
    expect(last(await find('process_cpu_seconds_total_rate'))).toBeGreaterThan(0)
    expect(await console.read('?name=nodejs_gc_duration_seconds')).toEqual([])
    expect(await console.read('?service=other')).toEqual([])
  })

  it('have a counter’s growth per second, also after it began anew, and a gap while the service is away', async () => {
    let count: number | undefined = 100
    await using service = await startHttpServer((_req, res) => {
      if (count === undefined) res.writeHead(503).end()
      else res.end(`# TYPE sold_total counter\nsold_total ${count}\n# TYPE open gauge\nopen 1\n`)
    })
    await using console = await openMetrics([{ name: 'shop', port: service.port }])
    const values = async () => (await console.read('?name=sold_total_rate'))[0]?.values ?? []
    await waitFor('two readings', async () => (await values()).filter((value) => value === 0).length >= 2)
    count = 150
    await waitFor('growth', async () => (await values()).some((value) => value !== null && value > 0))
    const before = (await values()).length
    count = 5
    const grown = await waitFor('the new beginning', async () => {
      const later = (await values()).slice(before).filter((value) => value !== null && value !== 0)
      return later.length > 0 && later
    })
    expect(grown.every((value) => (value ?? 0) > 0)).toBe(true)
    count = undefined
    await waitFor('a gap', async () => (await console.read('?name=open'))[0]?.values.includes(null))
  })

  it('are not asked for at Kafka’s port, which is told as a warning there', async () => {
    await using shop = await startShop()
    await using kafka = await startHttpServer((_req, res) => res.end('never asked'))
    const services = [
      { name: 'embedded-kafka', port: kafka.port },
      { name: 'shop', port: shop.port },
    ]
    const bootstrapServers = `kafka.example:9092, 127.0.0.1:${kafka.port}`
    await using console = await openMetrics(services, { bootstrapServers })
    await waitFor('two readings', async () => ((await console.read())[0]?.times.length ?? 0) >= 2)
    expect(kafka.requests).toEqual([])
  })

  it('have the breaker’s state of movie-api', async () => {
    await using films = await startHttpServer((_req, res) => res.writeHead(503).end())
    await using folder = await mkdtempDisposable(join(tmpdir(), 'console-metrics-'))
    await using movies = startProcess(MOVIE_API, {
      DATABASE_URL: `sqlite:${folder.path}/films.sqlite`,
      FILM_SERVICE_URL: films.url,
    })
    const url = await movies.url()
    await using console = await openMetrics([{ name: 'movie-api', port: Number(new URL(url).port) }])
    await waitFor('an open circuit', async () => {
      await (await fetch(`${url}/movie`)).text()
      const states = await console.read('?name=ft_circuitbreaker_state_current')
      return last(states.find(({ labels }) => labels['state'] === 'open')) === 1
    })
    const failed = await console.read('?name=ft_circuitbreaker_calls_total')
    expect(failed.map(({ labels }) => labels['circuitBreakerResult'])).toContain('failure')
  })

  it('are live: all at first, then what each reading brought', async () => {
    await using shop = await startShop()
    await using console = await openMetrics([{ name: 'shop', port: shop.port }])
    await waitFor('two readings', async () => ((await console.read())[0]?.times.length ?? 0) >= 2)
    const events = readSse(`${console.url}/api/metrics?name=nodejs_heap_size_used_bytes`, { headers: BEARER })
    const next = async () =>
      (JSON.parse((await events.next()).value?.data ?? '{}') as { items: Series[] }).items[0]?.times ?? []
    const first = await next()
    expect(first.length).toBeGreaterThanOrEqual(2)
    const seen = [...first]
    while (seen.length < first.length + 2) seen.push(...(await next()))
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    await events.return()
  })

  it('decisions 3.116: are read seldom while nobody looks, and at once when somebody begins to', async () => {
    await using service = await startHttpServer((_req, res) => res.end('a 1\n'))
    await using console = await openMetrics([{ name: 'shop', port: service.port }], { idleIntervalMs: 3_600_000 })
    await waitFor('the first reading', () => service.requests.length === 1)
    const events = readSse(`${console.url}/api/metrics`, { headers: BEARER })
    await events.next()
    await waitFor('more readings', () => service.requests.length >= 4)
    await events.return()
  })

  it('survive services that answer with anything', async () => {
    const answers: readonly string[] = ['<html>', 'x'.repeat(5_000_000), 'a{b="', '']
    let count = 0
    await using service = await startHttpServer((_req, res) => void res.end(answers[count++ % answers.length]))
    await using shop = await startShop()
    await using console = await openMetrics([
      { name: 'hostile', port: service.port },
      { name: 'nowhere' },
      { name: 'shop', port: shop.port },
    ])
    await waitFor('answers', () => service.requests.length > 8)
    expect((await console.read('?name=nodejs_heap_size_used_bytes')).map((series) => series.service)).toEqual(['shop'])
  })

  it('refuse a time that is none', async () => {
    await using console = await openMetrics([])
    const response = await fetch(`${console.url}/api/metrics?since=noon`, { headers: BEARER })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      detail: expect.stringContaining('since "noon": expected a whole number'),
    })
  })
})
