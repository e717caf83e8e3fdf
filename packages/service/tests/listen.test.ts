import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { httpAddress } from '@taproom/http'
import { describe, expect, it } from 'vitest'
import { kernelConfig, ListenError, listen, parseEnv } from '../src/index.ts'
import { answerOf, open, raw } from './raw-client.ts'
import { startApp } from './start-app.ts'

/** Longer than a test may take. */
const NEVER_MS = 3_600_000

describe('listen', () => {
  it('names port and variable when the port is in use', async () => {
    const { server } = await startApp(() => {})
    const again = listen(() => {}, { host: '127.0.0.1', port: server.port })
    await expect(again).rejects.toThrow(ListenError)
    await expect(again).rejects.toThrow(
      `port ${server.port} is in use: stop what listens there or set PORT to a free port`,
    )
  })

  it('decisions 3.168: listens on every address by default, on IPv6 where the machine has it', async () => {
    const { http } = parseEnv({ PORT: '0' }, kernelConfig)
    await using server = await listen((_req, res) => void res.end('here'), http)
    const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
    const hosts = own.filter(({ internal }) => internal).map(({ address }) => address)
    expect(hosts).toContain('127.0.0.1')
    for (const host of hosts) expect(await (await fetch(httpAddress(host, server.port))).text()).toBe('here')
  })

  it('decisions 1.71: headers over 16 KiB are 431 problem+json', async () => {
    const { server } = await startApp(() => {})
    const answer = await raw(server.port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toContain('application/problem+json')
  })

  it('answers what is not HTTP with 400 problem+json', async () => {
    const { server } = await startApp(() => {})
    const answer = await raw(server.port, 'HELLO\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"status":400')
  })

  it.each([
    ['no Host', 400, 'GET / HTTP/1.1'],
    ['two Hosts', 400, 'GET / HTTP/1.1\r\nHost: a\r\nhost: b'],
    ['the same Host twice', 400, 'GET / HTTP/1.0\r\nHost: a\r\nHost: a'],
    ['a Host with a path', 400, 'GET / HTTP/1.1\r\nHost: a b/'],
    ['a Host with user information', 400, 'GET / HTTP/1.1\r\nHost: u@a'],
    ['a Host with a port that is no number', 400, 'GET / HTTP/1.1\r\nHost: a:b'],
    ['a Host with a port that no machine has', 400, 'GET / HTTP/1.1\r\nHost: a:65536'],
    ['a Host with two ports', 400, 'GET / HTTP/1.1\r\nHost: a:1:2'],
    ['a Host with a backslash', 400, 'GET / HTTP/1.1\r\nHost: a\\b'],
    ['a URL of a host with user information', 400, 'GET http://u:p@a/ HTTP/1.1\r\nHost: a'],
    ['a URL of a host with a port that is no number', 400, 'GET http://a:b/ HTTP/1.1\r\nHost: a'],
    ['a URL of another protocol', 400, 'GET ftp://a/ HTTP/1.1\r\nHost: a'],
    ['a target of a star for GET', 400, 'GET * HTTP/1.1\r\nHost: a'],
    ['a path with a backslash', 400, 'GET /\\a HTTP/1.1\r\nHost: a'],
    ['a path with a fragment', 400, 'GET /#a HTTP/1.1\r\nHost: a'],
    ['a query with a fragment', 400, 'GET /?a=b#c HTTP/1.1\r\nHost: a'],
    ['HTTP/0.9', 400, 'GET /'],
    ['HTTP/2.0', 400, 'GET / HTTP/2.0\r\nHost: a'],
    ['a header too many', 431, `GET / HTTP/1.1\r\nHost: a${'\r\na: b'.repeat(500)}`],
    [
      'a coding behind more headers than Node keeps',
      431,
      `POST / HTTP/1.1\r\nHost: a${'\r\na:b'.repeat(1000)}\r\nTransfer-Encoding: chunked\r\n\r\n0`,
    ],
    ['chunks of HTTP/1.0', 400, 'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0'],
    [
      'a length and chunks',
      400,
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0',
    ],
    [
      'chunks and a length',
      400,
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0',
    ],
    ['two lengths', 400, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na'],
    ['a folded line', 400, 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b'],
    ['a bare line feed', 400, 'GET / HTTP/1.1\r\nHost: a\nX: a'],
    ['an unknown expectation', 417, 'POST / HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nContent-Length: 1\r\n\r\nx'],
    ['an unknown expectation and no Host', 400, 'GET / HTTP/1.1\r\nExpect: foo'],
    [
      'an unknown expectation and a body gzipped',
      501,
      'POST / HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nTransfer-Encoding: gzip\r\n\r\nx',
    ],
    ['CONNECT', 405, 'CONNECT a:1 HTTP/1.1\r\nHost: a:1'],
    ['a body gzipped', 501, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\nx'],
    ['a body that says identity', 501, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\nx'],
    ['a body gzipped in chunks', 501, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0'],
    ['chunks gzipped', 501, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0'],
    [
      'two codings in two headers',
      501,
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0',
    ],
  ])('refuses %s with one %i problem+json, closes, and shows no handler the request', async (_, status, head) => {
    let seen = 0
    const { server } = await startApp((routes) => {
      routes.use((_req, res) => {
        seen += 1
        res.end()
      })
    })
    const answer = await raw(server.port, `${head}\r\n\r\n`)
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/\r\nContent-Type: application\/problem\+json\r\n/)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status, detail: expect.any(String) })
    expect(seen).toBe(0)
  })

  it.each([
    'GET / HTTP/1.0',
    'GET / HTTP/1.1\r\nHost:',
    'GET / HTTP/1.1\r\nHost: [::1]:8080',
    'GET / HTTP/1.1\r\nHost: my_host.example:80',
    'GET http://other HTTP/1.1\r\nHost: a',
    'GET HTTP://other:80/?a=/../ HTTP/1.1\r\nHost: a',
    `GET / HTTP/1.1\r\nHost: a${'\r\na: b'.repeat(499)}`,
    'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n0',
    'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0',
  ])('serves %j', async (head) => {
    const { server } = await startApp((routes) => {
      routes.all('/', (_req, res) => void res.set('Connection', 'close').end('served'))
    })
    expect(await raw(server.port, `${head}\r\n\r\n`)).toContain('served')
  })

  it('decisions 1.75: while it drains, the listener answers others until the request in flight has ended', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
    const { server, url } = await startApp((routes) => {
      routes.get('/slow', async (_req, res) => {
        enter()
        await released
        res.end('done')
      })
      routes.get('/probe', (_req, res) => void res.end('still here'))
    })
    const slow = fetch(`${url}/slow`).then((response) => response.text())
    await entered
    const closed = server[Symbol.asyncDispose]()
    expect(await (await fetch(`${url}/probe`)).text()).toBe('still here')
    release()
    expect(await slow).toBe('done')
    await closed
    await expect(fetch(`${url}/probe`)).rejects.toThrow()
  })

  it('decisions 1.75: a connection on which nothing was sent does not hold the end up', async () => {
    const { server } = await startApp((routes) => void routes.get('/', (_req, res) => void res.end()), {
      drainMs: NEVER_MS,
    })
    const spare = open(server.port)
    const ended = once(spare, 'close')
    // Connections are accepted in their order.
    await raw(server.port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await server[Symbol.asyncDispose]()
    await ended
  })

  it('decisions 1.75: nor does one with half a head', async () => {
    const { server } = await startApp((routes) => void routes.get('/', (_req, res) => void res.end()), {
      drainMs: NEVER_MS,
    })
    const half = open(server.port)
    const ended = once(half, 'close')
    half.write('GET / HTTP/1.1\r\nHost: a\r\n')
    await raw(server.port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await server[Symbol.asyncDispose]()
    await ended
  })

  it('decisions 1.75: a request that has arrived when the server closes is answered', async () => {
    const { server } = await startApp((routes) => void routes.get('/', (_req, res) => void res.end('served')))
    const client = open(server.port)
    await once(client, 'connect')
    // Connections are accepted in their order.
    await raw(server.port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const closed = server[Symbol.asyncDispose]()
    expect(await answerOf(client)).toMatchObject({ answer: expect.stringContaining('served'), error: undefined })
    await closed
  })

  it('ends a request that never finishes when the time to drain is over', async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
    const { server, url } = await startApp((routes) => void routes.get('/hang', () => enter()), { drainMs: 50 })
    const hanging = fetch(`${url}/hang`)
    hanging.catch(() => {})
    await entered
    await server[Symbol.asyncDispose]()
    await expect(hanging).rejects.toThrow()
  })

  it('closes at once when nothing is in flight, idle keep-alive connections included', async () => {
    const { server, url } = await startApp((routes) => void routes.get('/', (_req, res) => void res.end('ok')), {
      drainMs: 60_000,
    })
    await (await fetch(url)).text()
    await server[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
    await expect(fetch(url)).rejects.toThrow()
  })
})
