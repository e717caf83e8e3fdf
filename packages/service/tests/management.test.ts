import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createBareApp, createHttpApp, createMetrics, forManagement, ListenError } from '../src/index.ts'
import { start } from './raw-client.ts'

const HERE = { management: { host: '127.0.0.1', port: 0 } }

describe.each([
  ['createHttpApp', createHttpApp],
  ['createBareApp', createBareApp],
])('decisions 3.44: management of %s', (_name, create) => {
  function createApp() {
    const metrics = createMetrics()
    return create({
      log: pino({ level: 'silent' }),
      metrics,
      routes: [
        (req, res, next) => (req.url === '/' ? res.end('served') : next()),
        forManagement(metrics.routes),
        // As a service has it that takes every path.
        (req, res, next) => (req.url === '/none' ? next() : res.end('any')),
      ],
    })
  }
  const statusesOf = async (url: string) =>
    Promise.all(['/', '/any', '/q/metrics'].map(async (path) => (await fetch(url + path)).status))

  it('has the port of everything else unless it is given one', async () => {
    const server = await start(createApp())
    expect(server).not.toHaveProperty('managementPort')
    expect(await statusesOf(server.url)).toEqual([200, 200, 200])
  })

  it('is served at its own port alone, and nothing else there', async () => {
    const server = await start(createApp(), HERE)
    expect(server.managementPort).not.toBe(server.port)
    expect(await statusesOf(server.url)).toEqual([200, 200, 404])
    expect(await statusesOf(`http://127.0.0.1:${server.managementPort}`)).toEqual([404, 404, 200])
    expect((await fetch(`${server.url}/q/metricsx`)).status).toBe(200)
    const text = await (await fetch(`http://127.0.0.1:${server.managementPort}/q/metrics`)).text()
    expect(text).toMatch(/http_server_requests_seconds_count\{method="GET",uri="UNKNOWN",status="200",[^}]*\} 3\n/)
  })

  it('decisions 3.49: has no limits of clients, and its paths have no exception from those of the main port', async () => {
    const rateLimit = { perSecond: 0.001, burst: 1 }
    const server = await start(createApp(), { ...HERE, rateLimit, unlimitedPaths: ['/q/metrics'] })
    expect((await fetch(server.url)).status).toBe(200)
    expect((await fetch(server.url)).status).toBe(429)
    expect((await fetch(`${server.url}/q/metrics/x`)).status).toBe(429)
    for (let count = 0; count < 5; count += 1) {
      expect((await fetch(`http://127.0.0.1:${server.managementPort}/q/metrics`)).status).toBe(200)
    }
  })
})

describe('decisions 3.44: the management port', () => {
  const app = () => createBareApp({ log: pino({ level: 'silent' }), routes: [forManagement((_req, res) => res.end())] })

  it('that is in use is an error that names its variable, and leaves nothing open', async () => {
    const first = await start(() => {})
    const second = start(app(), { management: { host: '127.0.0.1', port: first.port } })
    await expect(second).rejects.toThrow(ListenError)
    await expect(second).rejects.toThrow('set MANAGEMENT_PORT to a free port')
  })

  it('answers until the requests of the other have ended', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
    const slow = createBareApp({
      log: pino({ level: 'silent' }),
      routes: [
        forManagement((req, res, next) => (req.url === '/q' ? res.end('up') : next())),
        async (_req, res) => {
          enter()
          await released
          res.end('done')
        },
      ],
    })
    const server = await start(slow, { ...HERE, drainMs: 60_000 })
    const asked = fetch(server.url).then((answer) => answer.text())
    await entered
    const closed = server[Symbol.asyncDispose]()
    expect(await (await fetch(`http://127.0.0.1:${server.managementPort}/q`)).text()).toBe('up')
    release()
    expect(await asked).toBe('done')
    await closed
    await expect(fetch(`http://127.0.0.1:${server.managementPort}/q`)).rejects.toThrow()
  })
})
