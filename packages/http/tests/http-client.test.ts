import { describe, expect, it } from 'vitest'
import { HttpClient, type HttpRequest } from '../src/index.ts'
import { LIMIT, OK, requestTo, startHttpServer, textOf, until } from './client-peers.ts'
import { startBackend } from './raw-peers.ts'

describe('HttpClient, requests', () => {
  it('sends head and body in one message', async () => {
    await using backend = await startBackend((socket) => socket.write(OK))
    using client = new HttpClient()
    const body = Buffer.from('ä€')
    const headers = { 'content-type': 'text/plain', 'x-latin': 'caf\xe9' }
    expect(await textOf(client, requestTo(backend.port, { method: 'POST', headers, body }))).toBe('200 ok')
    expect(backend.received).toBe(
      `POST /a?b=c HTTP/1.1\r\ncontent-type: text/plain\r\nx-latin: caf\xe9\r\nhost: 127.0.0.1:${backend.port}\r\nconnection: keep-alive\r\ncontent-length: 5\r\n\r\n${body.toString('latin1')}`,
    )
  })

  it('sends a body of a megabyte', async () => {
    const body = Buffer.alloc(1024 * 1024, 'ab')
    await using server = await startHttpServer(async (req, res) => {
      res.end(Buffer.concat(await req.toArray()).equals(body) ? 'same' : 'other')
    })
    using client = new HttpClient()
    expect(await textOf(client, { method: 'POST', url: server.url, body, timeoutMs: 60_000 })).toBe('200 same')
  })

  it('sends credentials of the URL as Basic, unless there are others', async () => {
    await using server = await startHttpServer((req, res) => void res.end(req.headers.authorization ?? 'none'))
    using client = new HttpClient()
    const url = server.url.replace('//', '//us%20er:p%40ss@')
    const basic = `Basic ${Buffer.from('us er:p@ss').toString('base64')}`
    expect(await textOf(client, { method: 'GET', url, timeoutMs: 60_000 })).toBe(`200 ${basic}`)
    const headers = { authorization: 'Bearer x' }
    expect(await textOf(client, { method: 'GET', url, headers, timeoutMs: 60_000 })).toBe('200 Bearer x')
    const upper = { Authorization: 'Bearer y' }
    expect(await textOf(client, { method: 'GET', url, headers: upper, timeoutMs: 60_000 })).toBe('200 Bearer y')
    const wrong = textOf(client, { method: 'GET', url: server.url.replace('//', '//a%zz@'), timeoutMs: 60_000 })
    await expect(wrong).rejects.toMatchObject({ code: 'HTTP_REQUEST_INVALID' })
  })

  it('sends each request as its URL and headers are then, the same objects used again and changed', async () => {
    await using server = await startHttpServer((req, res) => {
      res.end(`${req.url} ${req.headers['x-count'] ?? ''} ${req.headers.authorization ?? ''}`)
    })
    using client = new HttpClient()
    const url = new URL('/a?b', server.url)
    const frozen = Object.freeze({ 'x-count': 'frozen' })
    const open = { 'x-count': '1' }
    const sent = (headers: Readonly<Record<string, string>>) =>
      textOf(client, { method: 'GET', url, headers, timeoutMs: 60_000 })
    expect([await sent(frozen), await sent(open)]).toEqual(['200 /a?b frozen ', '200 /a?b 1 '])
    url.pathname = '/c'
    url.username = 'user'
    open['x-count'] = '2'
    const basic = `Basic ${Buffer.from('user:').toString('base64')}`
    expect([await sent(frozen), await sent(open)]).toEqual([`200 /c?b frozen ${basic}`, `200 /c?b 2 ${basic}`])
  })

  it.each<[string, Partial<HttpRequest>]>([
    ['a line end in a header', { headers: { a: 'b\r\nc: d' } }],
    ['a header that is none', { headers: { 'a b': 'c' } }],
    ['a character beyond Latin-1', { headers: { a: '€' } }],
    ['a length of its own', { headers: { 'Content-Length': '1' } }],
    ['a host of its own', { headers: { host: 'other' } }],
    ['a space in the path', { path: '/a b' }],
    ['a line end in the path', { path: '/a\r\nb' }],
    ['a path that is none', { path: 'a' }],
  ])('with %s is refused, and nothing is sent', async (_case, options) => {
    await using backend = await startBackend()
    using client = new HttpClient()
    const refused = client.request(requestTo(backend.port, options))
    await expect(refused).rejects.toMatchObject({ code: 'HTTP_REQUEST_INVALID' })
    expect(backend.connections).toHaveLength(0)
  })

  it('has an answer that came before it was sent whole, by a server that read no more', async () => {
    await using backend = await startBackend((socket) => {
      socket.pause()
      socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    })
    using client = new HttpClient()
    const body = Buffer.alloc(20 * 1024 * 1024)
    expect(await textOf(client, requestTo(backend.port, { method: 'POST', body }))).toBe('413 ')
  })
})

describe('HttpClient, answers', () => {
  it('are cut at the limit of the reader, and their connection is closed', async () => {
    await using backend = await startBackend((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n${'x'.repeat(2 * LIMIT)}`)
    })
    using client = new HttpClient()
    expect(await textOf(client, requestTo(backend.port, { timeoutMs: 3_600_000 }))).toBe(`200 ${'x'.repeat(LIMIT)}…`)
    await until('the connection to be closed', () => backend.sockets.size === 0)
  })

  it('of many small pieces are cut after the one that is too much', async () => {
    const pieces = '1\r\nx\r\n'.repeat(50_000)
    await using backend = await startBackend((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}`)
    })
    using client = new HttpClient()
    expect(await textOf(client, requestTo(backend.port))).toBe(`200 ${'x'.repeat(LIMIT)}…`)
  })

  it.each([
    ['in full', OK],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
  ])(
    'whose body is not wanted come with their head; when the body comes %s the connection is used again',
    async (_case, text) => {
      await using backend = await startBackend((socket) => socket.write(text))
      using client = new HttpClient({ maxConnections: 1 })
      for (let count = 0; count < 3; count += 1) {
        expect(await textOf(client, requestTo(backend.port, { limitBytes: 0 }))).toBe('200 ')
      }
      expect(backend.connections).toHaveLength(1)
    },
  )

  it('whose body is not wanted and long end their connection', async () => {
    await using backend = await startBackend((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`)
    })
    using client = new HttpClient({ maxConnections: 1, idleMs: 3_600_000 })
    expect(await textOf(client, requestTo(backend.port, { limitBytes: 0 }))).toBe('200 ')
    expect(await textOf(client, requestTo(backend.port, { limitBytes: 0 }))).toBe('200 ')
    expect(backend.connections).toHaveLength(2)
  })

  it('are read as far as their head says', async () => {
    await using backend = await startBackend((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nx: 3\r\nContent-Length: 5\r\n\r\nhello'),
    )
    using client = new HttpClient()
    const limitBytes: HttpRequest['limitBytes'] = ({ headers }) => Number(headers['x'])
    expect(await textOf(client, requestTo(backend.port, { limitBytes }))).toBe('200 hel…')
  })

  it('broken off say so', async () => {
    await using backend = await startBackend((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell')
    })
    using client = new HttpClient()
    const { body } = await client.request(requestTo(backend.port))
    expect(body).toMatchObject({ isCut: false, brokenBy: { code: 'HTTP_BROKE_OFF' } })
  })

  it.each([
    ['before the head', ''],
    ['in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell'],
  ])('that stall %s are given up: by the time of the request, of the client, or a signal', async (_case, start) => {
    let started = 0
    await using backend = await startBackend((socket) => {
      started += 1
      socket.write(start)
    })
    using patient = new HttpClient()
    using impatient = new HttpClient({ stalledMs: 50 })
    await expect(textOf(patient, requestTo(backend.port, { timeoutMs: 50 }))).rejects.toMatchObject({
      code: 'HTTP_TIMEOUT',
      message: 'no answer within 50 ms',
    })
    await expect(textOf(impatient, requestTo(backend.port))).rejects.toMatchObject({ code: 'HTTP_TIMEOUT' })
    const leaving = new AbortController()
    const aborted = textOf(patient, requestTo(backend.port, { signal: leaving.signal }))
    const before = started
    void until('the request', () => started > before).then(() => leaving.abort(new Error('left')))
    await expect(aborted).rejects.toThrow('left')
    await until('the connections to be closed', () => backend.sockets.size === 0)
  })

  it('end with the client, and so does waiting for a connection', async () => {
    let requests = 0
    await using backend = await startBackend(() => {
      requests += 1
    })
    const client = new HttpClient({ maxConnections: 1 })
    const sent = [1, 2].map(() => textOf(client, requestTo(backend.port)))
    const ended = sent.map((each) => expect(each).rejects.toMatchObject({ code: 'HTTP_CLIENT_CLOSED' }))
    await until('the request', () => requests === 1)
    client[Symbol.dispose]()
    await Promise.all(ended)
    await expect(client.request(requestTo(backend.port))).rejects.toMatchObject({ code: 'HTTP_CLIENT_CLOSED' })
  })
})
