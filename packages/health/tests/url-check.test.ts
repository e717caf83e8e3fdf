import type { RequestListener } from 'node:http'
import { startHttpServer } from '@taproom/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { createHealth, type UrlCheckOptions, urlCheck } from '../src/index.ts'

describe('urlCheck', () => {
  const servers = new AsyncDisposableStack()
  afterAll(() => servers.disposeAsync())
  const serve = async (handler: RequestListener) => servers.use(await startHttpServer(handler)).url

  const report = async (options: UrlCheckOptions) =>
    (await createHealth({ readiness: [urlCheck(options)] }).report('ready')).checks[0]

  it('decisions 1.34, 2.13: is UP on 200, with the exact URL requested as host', async () => {
    const requests: string[] = []
    const base = await serve((req, res) => {
      requests.push(`${req.method} ${req.url}`)
      res.end('{}')
    })
    expect(await report({ url: `${base}/api/films/` })).toEqual({
      name: 'ExternalURL health check',
      status: 'UP',
      data: { host: `GET ${base}/api/films/` },
    })
    expect(requests).toEqual(['GET /api/films/'])
  })

  it('takes name and expected status', async () => {
    const url = await serve((_, res) => res.writeHead(204).end())
    expect(await report({ url, name: 'films', expectedStatus: 204 })).toEqual({
      name: 'films',
      status: 'UP',
      data: { host: `GET ${url}` },
    })
  })

  it('is DOWN on any other status, and tells both', async () => {
    const url = await serve((_, res) => res.writeHead(503).end())
    expect(await report({ url })).toMatchObject({
      status: 'DOWN',
      data: { host: `GET ${url}`, error: 'Expected response code 200 but actual is 503' },
    })
  })

  it('is DOWN with class and message when nothing listens, host included', async () => {
    const { url, ...server } = await startHttpServer(() => {})
    await server[Symbol.asyncDispose]()
    expect(await report({ url })).toMatchObject({
      status: 'DOWN',
      data: { host: `GET ${url}`, error: expect.stringMatching(/^Error: connect ECONNREFUSED /) },
    })
  })

  it('is DOWN at its limit when the server hangs, host included', async () => {
    const url = await serve(() => {})
    expect(await report({ url, timeoutMs: 50 })).toMatchObject({
      status: 'DOWN',
      data: { host: `GET ${url}`, error: 'no result within 50 ms' },
    })
  })

  it('follows redirects', async () => {
    const url = await serve((req, res) => {
      if (req.url === '/films') res.writeHead(301, { location: '/films/' }).end()
      else res.end()
    })
    expect(await report({ url: `${url}/films` })).toMatchObject({ status: 'UP', data: { host: `GET ${url}/films` } })
  })

  it('stays UP while the body of an earlier answer, or of a redirect, is slow, and leaves each connection', async () => {
    let open = 0
    const url = await serve((req, res) => {
      open += 1
      res.on('close', () => {
        open -= 1
      })
      res.writeHead(req.url === '/' ? 302 : 200, { location: '/films', 'content-length': 2 }).write('1')
    })
    const health = createHealth({ readiness: [urlCheck({ url: `${url}/` })] })
    for (const _ of [1, 2, 3]) expect((await health.report('ready')).checks[0]).toMatchObject({ status: 'UP' })
    await expect.poll(() => open).toBe(0)
  })

  it('sends the headers that firewalls of the web ask for', async () => {
    let headers = {}
    const url = await serve((req, res) => {
      headers = req.headers
      res.end()
    })
    await report({ url })
    expect(headers).toMatchObject({ 'user-agent': 'taproom-health', accept: '*/*' })
  })

  it.each(['films', 'ftp://127.0.0.1/', 'http://user:secret@127.0.0.1/', ''])('refuses the address "%s"', (url) => {
    expect(() => urlCheck({ url })).toThrow(expect.objectContaining({ code: 'HEALTH_OPTION_INVALID' }))
    expect(() => urlCheck({ url })).not.toThrow(/secret/)
  })
})
