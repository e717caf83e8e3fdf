import { once } from 'node:events'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { Router } from 'express'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpApp, createMetrics, HttpProblem, listen, type Metrics, type ReportsHealth } from '../src/index.ts'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource[Symbol.asyncDispose]()
})

async function start(metrics: Metrics, build: (routes: Router) => void = () => {}) {
  const routes = Router()
  build(routes)
  const app = createHttpApp({ log: pino({ level: 'silent' }), metrics, routes: [metrics.routes, routes] })
  const server = await listen(app, { host: '127.0.0.1', port: 0 })
  opened.push(server)
  const scrape = async () => (await (await fetch(`${server.url}/q/metrics`)).text()).split('\n')
  return { ...server, get: (path: string, init?: RequestInit) => fetch(server.url + path, init), scrape }
}

const requests = (tags: string) => `http_server_requests_seconds_count{${tags}}`

describe('/q/metrics', () => {
  it.each(['before', 'after'])('goes on after a value that prom-client refuses, %s it is loaded', async (when) => {
    const warned: string[] = []
    const onWarning = ({ name }: Error) => void (name === 'MetricWarning' && warned.push(name))
    process.on('warning', onWarning)
    const metrics = createMetrics()
    const { scrape } = await start(metrics)
    if (when === 'after') await scrape()
    for (const value of [1, -1, 2]) metrics.add('drunk', {}, value)
    metrics.add('drunk', { other: 'tag' }, 1)
    expect(await scrape()).toContain('drunk 3')
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', onWarning)
    expect(warned).toEqual(['MetricWarning', 'MetricWarning'])
  })

  it('has the values of all that watch one metric', async () => {
    const metrics = createMetrics()
    for (const guard of ['films', 'beers']) {
      metrics.watch('state', { type: 'counter', help: 'Time.' }, () => [{ tags: { guard }, value: 2 }])
    }
    const { scrape } = await start(metrics)
    expect((await scrape()).filter((line) => line.startsWith('state'))).toEqual([
      'state{guard="films"} 2',
      'state{guard="beers"} 2',
    ])
  })

  it('is Prometheus’ text format, with the metrics of the process', async () => {
    const { get } = await start(createMetrics())
    const response = await get('/q/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    for (const name of [
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes',
    ]) {
      expect(text).toMatch(new RegExp(`^${name} [0-9.e-]+$`, 'm'))
    }
    expect((await get('/q/metrics', { method: 'POST' })).status).toBe(405)
  })

  it('answers again and again', async () => {
    const { scrape } = await start(createMetrics())
    await scrape()
    expect(await scrape()).toContainEqual(expect.stringMatching(/^process_resident_memory_bytes /))
  })

  it('counts requests by method, route, status and outcome', async () => {
    const { get, scrape } = await start(createMetrics(), (routes) => {
      routes.get('/beers/:name', (_, res) => res.end('one'))
      routes.get('/broken', () => {
        throw new HttpProblem(502)
      })
    })
    await Promise.all([get('/beers/a'), get('/beers/b'), get('/broken'), get('/nowhere'), get('/elsewhere')])
    const lines = await scrape()
    expect(lines).toContain('# TYPE http_server_requests_seconds histogram')
    for (const line of [
      `${requests('method="GET",uri="/beers/:name",status="200",outcome="SUCCESS"')} 2`,
      `${requests('method="GET",uri="/broken",status="502",outcome="SERVER_ERROR"')} 1`,
      `${requests('method="GET",uri="NOT_FOUND",status="404",outcome="CLIENT_ERROR"')} 2`,
    ]) {
      expect(lines).toContain(line)
    }
  })

  it('puts durations into cumulative buckets', async () => {
    const metrics = createMetrics()
    for (const seconds of [0.001, 0.004, 20]) metrics.observe('ft.timeout.executionDuration', { method: 'm' }, seconds)
    const lines = await (await start(metrics)).scrape()
    const bucket = (le: string) => `ft_timeout_executionDuration_seconds_bucket{le="${le}",method="m"}`
    expect(lines).toEqual(
      expect.arrayContaining([
        `${bucket('0.001')} 1`,
        `${bucket('0.0025')} 1`,
        `${bucket('0.005')} 2`,
        `${bucket('10')} 2`,
        `${bucket('+Inf')} 3`,
        'ft_timeout_executionDuration_seconds_sum{method="m"} 20.005',
        'ft_timeout_executionDuration_seconds_count{method="m"} 3',
      ]),
    )
  })

  it('keeps paths that are many from filling the memory', async () => {
    const { get, scrape } = await start(createMetrics(), (routes) => {
      const inner = Router().get('/x', (_, res) => res.end())
      routes.use('/:any', inner)
    })
    for (let i = 0; i < 120; i += 1) await get(`/${i}/x`)
    const lines = await scrape()
    expect(lines.filter((line) => line.startsWith(requests('').slice(0, -1)))).toEqual([
      `${requests('method="GET",uri="UNKNOWN",status="200",outcome="SUCCESS"')} 120`,
    ])
  })

  it('keeps methods that are many from filling the memory', async () => {
    const { port, scrape } = await start(createMetrics())
    const rare = METHODS.filter((method) => method !== 'CONNECT')
    for (const method of rare) {
      const socket = connect(port, '127.0.0.1').resume()
      socket.end(`${method} /${method} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      await once(socket, 'close')
    }
    const lines = (await scrape()).filter((line) => line.startsWith(requests('').slice(0, -1)))
    expect(lines.map((line) => /method="(\w+)"/.exec(line)?.[1]).toSorted()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'OPTIONS',
      'OTHER',
      'PATCH',
      'POST',
      'PUT',
    ])
  })

  it('keeps tags that are many from filling the memory', async () => {
    const metrics = createMetrics()
    for (let i = 0; i < 600; i += 1) metrics.add('calls', { who: String(i) }, 1)
    const lines = await (await start(metrics)).scrape()
    expect(lines.filter((line) => line.startsWith('calls{'))).toHaveLength(501)
    expect(lines).toContain('calls{who="other"} 100')
  })

  it('tells a caller that left before the answer as 499', async () => {
    const arrived = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const { port, scrape } = await start(createMetrics(), (routes) => {
      routes.get('/slow', (_, res) => {
        res.once('close', left.resolve)
        arrived.resolve()
      })
    })
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await arrived.promise
    socket.destroy()
    await left.promise
    expect(await scrape()).toContain(`${requests('method="GET",uri="/slow",status="499",outcome="CLIENT_ERROR"')} 1`)
  })

  it('shows each health check, and checks of one name as UP only together', async () => {
    const checks = (kind: string) =>
      kind === 'ready'
        ? ['UP', 'DOWN', 'UP'].map((status, i) => ({ name: i === 0 ? 'database' : 'url "x"', status }))
        : []
    const health: ReportsHealth = { report: async (kind) => ({ checks: checks(kind) }) }
    const lines = await (await start(createMetrics({ health }))).scrape()
    expect(lines.filter((line) => line.startsWith('health_check_status'))).toEqual([
      'health_check_status{kind="ready",check="database"} 1',
      'health_check_status{kind="ready",check="url \\"x\\""} 0',
    ])
  })

  it('has no sample of a watched metric without values', async () => {
    const metrics = createMetrics({ health: { report: async () => ({ checks: [] }) } })
    metrics.watch('tokens_total', { type: 'counter', help: 'Tokens.' }, () => [])
    const lines = await (await start(metrics)).scrape()
    expect(lines.filter((line) => /^(?:health_check_status|tokens_total)/.test(line))).toEqual([])
  })

  it('reads watched values for each answer, and belongs to one service alone', async () => {
    const metrics = createMetrics()
    let value = 1
    metrics.watch('tokens_total', { type: 'counter', help: 'Tokens.' }, () => [{ tags: { result: 'ok' }, value }])
    const [watching, other] = [await start(metrics), await start(createMetrics())]
    expect(await watching.scrape()).toContain('tokens_total{result="ok"} 1')
    value = 2
    expect(await watching.scrape()).toContain('tokens_total{result="ok"} 2')
    expect(await other.scrape()).not.toContainEqual(expect.stringContaining('tokens_total'))
  })
})
