import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RequestHandler, Router } from 'express'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpApp, createMetrics, type DirectRoute, HttpProblem, type HttpServer, listen } from '../src/index.ts'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource[Symbol.asyncDispose]()
})

/** `seen` are the paths that express' own routes were asked for. */
async function start(...direct: readonly DirectRoute[]) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const metrics = createMetrics()
  const seen: string[] = []
  const routes = Router().use((req, _res, next) => {
    seen.push(req.url)
    next()
  })
  const app = createHttpApp({ log, metrics, direct, routes: [routes, metrics.routes] })
  const server: HttpServer = await listen(app, { host: '127.0.0.1', port: 0 })
  opened.push(server)
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(server.url + path, init)
    const { date: _, ...headers } = Object.fromEntries(response.headers)
    return { status: response.status, headers, body: await response.text() }
  }
  return { app, ask, lines, seen }
}

const get = (path: string, ...handlers: readonly RequestHandler[]): DirectRoute => ({ method: 'GET', path, handlers })
const thing = get('/thing', (req, res) => {
  res.json({ path: req.path, base: req.baseUrl, isSame: req.url === req.originalUrl, route: req.route.path })
})

describe('a direct route', () => {
  it('calls its handlers in order, each when the one before asks for it', async () => {
    const guard: RequestHandler = (req, res, next) => {
      if (req.get('x-pass') === undefined) res.status(401).end()
      else next()
    }
    const { ask } = await start(get('/guarded', guard, (_req, res) => void res.send('in')))
    expect((await ask('/guarded')).status).toBe(401)
    expect(await ask('/guarded', { headers: { 'x-pass': 'yes' } })).toMatchObject({ status: 200, body: 'in' })
  })

  it('answers as express does when it is asked with a query string', async () => {
    const { ask } = await start(thing)
    const answer = await ask('/thing')
    expect(answer.body).toBe('{"path":"/thing","base":"","isSame":true,"route":"/thing"}')
    expect(await ask('/thing?a=b')).toEqual(answer)
  })

  it('leaves every other request to express: HEAD, another method, another path', async () => {
    const { ask } = await start(thing, { method: 'POST', path: '/post', handlers: [(_req, res) => void res.end()] })
    expect(await ask('/thing', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    expect(await ask('/thing', { method: 'PUT' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    expect(await ask('/post', { method: 'POST' })).toMatchObject({ status: 200 })
    expect(await ask('/post')).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    expect(await ask('/Thing')).toMatchObject({ status: 404 })
    for (const other of ['/things', '/%74hing']) expect(await ask(other)).toMatchObject({ status: 404 })
  })

  it('comes before all other routes', async () => {
    const { ask, seen } = await start(thing)
    await ask('/thing')
    await ask('/thing?a=b')
    await ask('/other')
    expect(seen).toEqual(['/other'])
  })

  it.each<[string, RequestHandler]>([
    [
      'throws',
      () => {
        throw new HttpProblem(503, { detail: 'later' })
      },
    ],
    ['rejects', () => Promise.reject(new HttpProblem(503, { detail: 'later' }))],
    ['passes on', (_req, _res, next) => next(new HttpProblem(503, { detail: 'later' }))],
  ])('has what a handler %s answered as a problem, logged once and measured', async (_how, handler) => {
    const { ask, lines } = await start(get('/broken', (_req, _res, next) => next(), handler))
    const [direct, byExpress] = [await ask('/broken'), await ask('/broken?a=b')]
    expect(JSON.parse(direct.body)).toMatchObject({ status: 503, detail: 'later', id: expect.any(String) })
    expect(direct.headers).toEqual(byExpress.headers)
    expect(lines.map(({ msg, path }) => [msg, path])).toEqual([
      ['request failed', '/broken'],
      ['request failed', '/broken'],
    ])
    expect((await ask('/q/metrics')).body).toContain(
      'http_server_requests_seconds_count{method="GET",uri="/broken",status="503",outcome="SERVER_ERROR"} 2\n',
    )
  })

  it('breaks the connection when its handler fails after the first byte', async () => {
    const { ask } = await start(
      get('/half', (_req, res) => {
        res.write('[1,')
        throw new Error('no more')
      }),
    )
    await expect(ask('/half')).rejects.toThrow()
  })

  it('is answered by express on a server that was not made by listen', async () => {
    const { app } = await start(thing)
    const server = createServer(app).listen(0, '127.0.0.1')
    opened.push({ [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) })
    await new Promise((resolve) => server.once('listening', resolve))
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/thing`)
    expect(await response.json()).toMatchObject({ path: '/thing' })
    server.closeAllConnections()
  })
})
