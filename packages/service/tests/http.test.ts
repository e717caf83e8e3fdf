import { once } from 'node:events'
import { connect } from 'node:net'
import { methodNotAllowed } from '@taproom/http'
import express, { Router } from 'express'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpApp, HttpProblem, type HttpServer, ListenError, listen } from '../src/index.ts'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource[Symbol.asyncDispose]()
})

function captureLog() {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  return { log, lines }
}

async function start(build: (routes: Router) => void, options: { drainMs?: number } = {}) {
  const { log, lines } = captureLog()
  const routes = Router()
  build(routes)
  const server: HttpServer = await listen(createHttpApp({ log, routes: [routes] }), {
    host: '127.0.0.1',
    port: 0,
    ...options,
  })
  opened.push(server)
  return { server, lines, url: server.url }
}

/** Sends raw bytes and returns everything that comes back. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  await once(socket, 'close')
  return answer
}

describe('createHttpApp', () => {
  it('decisions 1.74: an unknown path is 404 problem+json', async () => {
    const { url } = await start(() => {})
    const response = await fetch(`${url}/nowhere`)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'nothing is found at /nowhere',
    })
  })

  it('decisions 1.74: a wrong method is 405 with Allow', async () => {
    const { url } = await start((routes) => {
      routes
        .route('/thing')
        .get((_req, res) => void res.end())
        .all(methodNotAllowed('GET', 'HEAD'))
    })
    const response = await fetch(`${url}/thing`, { method: 'DELETE' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect(await response.json()).toMatchObject({ status: 405 })
  })

  it.each(['http://[x/thing', 'http://[', 'https://[::1/thing?a=b'])(
    'answers the target %s, which is no URL, with 400 problem+json',
    async (target) => {
      const { server } = await start((routes) => routes.get('/thing', (_req, res) => void res.end()))
      const answer = await raw(server.port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('application/problem+json')
      expect(answer).not.toContain('<html')
    },
  )

  it('lets no cache keep a problem', async () => {
    const { url } = await start(() => {})
    expect((await fetch(`${url}/nowhere`)).headers.get('cache-control')).toBe('no-store')
  })

  it('decisions 1.72: an unhandled error is 500 with an id, its message in the log only', async () => {
    const { url, lines } = await start((routes) => {
      routes.get('/boom', async () => {
        throw new Error('the secret inside')
      })
    })
    const response = await fetch(`${url}/boom`)
    const body = await response.text()
    expect(response.status).toBe(500)
    expect(body).not.toContain('secret')
    const { id } = JSON.parse(body)
    expect(lines).toMatchObject([{ level: 50, id, err: { message: 'the secret inside' }, msg: 'request failed' }])
  })

  it('tells what somebody foresaw in one line without a stack', async () => {
    const { url, lines } = await start((routes) => {
      routes.get('/remote', () => {
        const cause = Object.assign(new Error('the remote is away'), { code: 'ERR_REMOTE' })
        throw new HttpProblem(502, { detail: 'no answer', cause })
      })
    })
    const { id } = (await (await fetch(`${url}/remote`)).json()) as { id: string }
    expect(lines).toMatchObject([{ level: 50, id, status: 502, code: 'ERR_REMOTE', reason: 'the remote is away' }])
    expect(JSON.stringify(lines)).not.toContain('stack')
  })

  it('answers a thrown HttpProblem with its headers and members', async () => {
    const { url } = await start((routes) => {
      routes.get('/open', () => {
        throw new HttpProblem(503, { detail: 'later', headers: { 'Retry-After': '3' }, members: { circuit: 'open' } })
      })
    })
    const response = await fetch(`${url}/open`)
    expect(response.headers.get('retry-after')).toBe('3')
    expect(await response.json()).toMatchObject({ status: 503, detail: 'later', circuit: 'open' })
  })

  it('echoes no more of a path than anybody reads, in the answer or the log', async () => {
    const { url, lines } = await start(() => {})
    const shown = `/${'x'.repeat(299)}… (8701 more characters)`
    const answer = await fetch(`${url}/${'x'.repeat(9000)}`)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.json()).toMatchObject({ detail: `nothing is found at ${shown}` })
    expect(lines).toMatchObject([{ path: shown, detail: `nothing is found at ${shown}` }])
  })

  it('bounds what an error of express echoes, and shows what it hides', async () => {
    const { url } = await start((routes) => {
      routes.get('/refused', () => {
        throw Object.assign(new Error(`\u001b[2J\u2028${'x'.repeat(3000)}`), { status: 400 })
      })
    })
    const body = await (await fetch(`${url}/refused`)).text()
    expect(body).not.toMatch(/[\p{Cc}\u2028]/u)
    expect(JSON.parse(body)).toMatchObject({
      detail: expect.stringMatching(/^\\u001b\[2J\\u2028x+… \(1005 more characters\)$/),
    })
  })

  it.each([
    ['a percent sign that begins no escape, in a parameter', 'GET /things/%zz HTTP/1.1', 400],
    ['half a character, in a parameter', 'GET /things/%ff HTTP/1.1', 400],
    ['TRACE', 'TRACE /thing HTTP/1.1', 405],
    ['PROPFIND', 'PROPFIND /thing HTTP/1.1', 405],
    ['PATCH elsewhere', 'PATCH /nowhere HTTP/1.1', 404],
    ['OPTIONS of everything', 'OPTIONS * HTTP/1.1', 404],
    ['a method in small letters', 'get /thing HTTP/1.1', 400],
    ['a method that nobody knows', 'BREW /thing HTTP/1.1', 400],
    [
      'a charset that nobody knows',
      'POST /json HTTP/1.1\r\nContent-Type: application/json; charset=x-none\r\nContent-Length: 2',
      415,
    ],
    [
      'a coding that nobody knows',
      'POST /json HTTP/1.1\r\nContent-Type: application/json\r\nContent-Encoding: x\r\nContent-Length: 2',
      415,
    ],
    [
      'a coding that is none',
      'POST /json HTTP/1.1\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2',
      400,
    ],
  ])('answers %s with 4xx: %j', async (_case, head, status) => {
    const { server } = await start((routes) => {
      routes.get('/things/:name', (_req, res) => void res.end())
      routes
        .route('/thing')
        .get((_req, res) => void res.end())
        .all(methodNotAllowed('GET', 'HEAD'))
      routes.post('/json', express.json(), (_req, res) => void res.end())
    })
    const answer = await raw(
      server.port,
      `${head}\r\nHost: a\r\nConnection: close\r\n\r\n${head.includes('Length') ? '{}' : ''}`,
    )
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status })
  })

  it('answers HEAD without a body, whatever the problem', async () => {
    const { server } = await start((routes) => {
      routes.get('/boom', () => {
        throw new Error('no')
      })
    })
    for (const path of ['/boom', '/nowhere']) {
      const answer = await raw(server.port, `HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 (500|404) [\s\S]*\r\n\r\n$/)
    }
  })

  it("keeps the status of express's own client errors", async () => {
    const { url } = await start((routes) => {
      routes.post('/json', express.json({ limit: 10 }), (_req, res) => void res.end())
    })
    const post = (body: string) =>
      fetch(`${url}/json`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect((await post('{')).status).toBe(400)
    expect((await post(`{"a":"${'x'.repeat(20)}"}`)).status).toBe(413)
    expect((await fetch(`${url}/%ff`)).status).toBe(404)
  })

  it('breaks the connection when a handler fails after its first byte', async () => {
    const { url } = await start((routes) => {
      routes.get('/half', (_req, res) => {
        res.write('[1,')
        throw new Error('no more')
      })
    })
    await expect(fetch(`${url}/half`).then((response) => response.text())).rejects.toThrow()
  })
})

describe('listen', () => {
  it('names port and variable when the port is in use', async () => {
    const { server } = await start(() => {})
    const again = listen(() => {}, { host: '127.0.0.1', port: server.port })
    await expect(again).rejects.toThrow(ListenError)
    await expect(again).rejects.toThrow(
      `port ${server.port} is in use: stop what listens there or set PORT to a free port`,
    )
  })

  it('decisions 1.71: headers over 16 KiB are 431 problem+json', async () => {
    const { server } = await start(() => {})
    const answer = await raw(server.port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toContain('application/problem+json')
  })

  it('answers what is not HTTP with 400 problem+json', async () => {
    const { server } = await start(() => {})
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
    const { server } = await start((routes) => {
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
    const { server } = await start((routes) => {
      routes.all('/', (_req, res) => void res.set('Connection', 'close').end('served'))
    })
    expect(await raw(server.port, `${head}\r\n\r\n`)).toContain('served')
  })

  it('decisions 1.75: while it drains, the listener answers others until the request in flight has ended', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
    const { server, url } = await start((routes) => {
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

  it('ends a request that never finishes when the time to drain is over', async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
    const { server, url } = await start((routes) => void routes.get('/hang', () => enter()), { drainMs: 50 })
    const hanging = fetch(`${url}/hang`)
    hanging.catch(() => {})
    await entered
    await server[Symbol.asyncDispose]()
    await expect(hanging).rejects.toThrow()
  })

  it('closes at once when nothing is in flight, idle keep-alive connections included', async () => {
    const { server, url } = await start((routes) => void routes.get('/', (_req, res) => void res.end('ok')), {
      drainMs: 60_000,
    })
    await (await fetch(url)).text()
    await server[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
    await expect(fetch(url)).rejects.toThrow()
  })
})
