import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { HttpClient, type HttpRequest } from '../src/index.ts'
import { startBackend } from './raw-peers.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const LIMIT = 1024

function requestTo(port: number, options: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url: `http://127.0.0.1:${port}/a?b=c`, timeoutMs: 60_000, ...options }
}

async function textOf(client: HttpClient, request: HttpRequest): Promise<string> {
  const answer = await client.request(request)
  const { bytes, isCut, brokenBy } = await answer.read(LIMIT)
  if (brokenBy !== undefined) throw brokenBy
  return `${answer.status} ${bytes}${isCut ? '…' : ''}`
}

async function startHttpServer(handler: RequestListener) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Waits until a condition holds. */
async function until(what: string, condition: () => boolean): Promise<void> {
  await expect.poll(condition, { message: what }).toBe(true)
}

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
  })

  it.each<[string, Partial<HttpRequest>]>([
    ['a line end in a header', { headers: { a: 'b\r\nc: d' } }],
    ['a header that is none', { headers: { 'a b': 'c' } }],
    ['a character beyond Latin-1', { headers: { a: '€' } }],
    ['a length of its own', { headers: { 'content-length': '1' } }],
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

describe('HttpClient, connections', () => {
  it('are used again, the last one first', async () => {
    await using backend = await startBackend((socket) => socket.write(OK))
    using client = new HttpClient()
    const once = () => textOf(client, requestTo(backend.port))
    await Promise.all([once(), once(), once()])
    for (let count = 0; count < 5; count += 1) await once()
    expect(backend.connections).toHaveLength(3)
    expect(backend.connections.filter(({ text }) => text.split('GET').length > 2)).toHaveLength(1)
  })

  it('are not more than may be: further requests wait, and one that is aborted waits no more', async () => {
    const answer: (() => void)[] = []
    await using backend = await startBackend((socket) => answer.push(() => socket.write(OK)))
    using client = new HttpClient({ maxConnections: 2 })
    const leaving = new AbortController()
    const sent = [1, 2, 3].map(() => textOf(client, requestTo(backend.port)))
    const aborted = textOf(client, requestTo(backend.port, { signal: leaving.signal }))
    const late = expect(textOf(client, requestTo(backend.port, { timeoutMs: 1 }))).rejects.toMatchObject({
      code: 'HTTP_TIMEOUT',
    })
    await until('two requests', () => answer.length === 2)
    leaving.abort(new Error('left'))
    await expect(aborted).rejects.toThrow('left')
    await late
    for (const go of answer.splice(0)) go()
    await until('the third request', () => answer.length === 1)
    for (const go of answer) go()
    expect(await Promise.all(sent)).toEqual(['200 ok', '200 ok', '200 ok'])
    expect(backend.connections).toHaveLength(2)
  })

  it.each([
    ['says so', 'HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 2\r\n\r\nok'],
    ['is of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['closes in a second', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok'],
    ['sends more than its answer', `${OK}x`],
  ])('are not used again where the other side %s', async (_case, text) => {
    await using backend = await startBackend((socket) => socket.write(text))
    using client = new HttpClient()
    expect(await textOf(client, requestTo(backend.port))).toBe('200 ok')
    expect(await textOf(client, requestTo(backend.port))).toBe('200 ok')
    expect(backend.connections).toHaveLength(2)
  })

  it('are closed when bytes come that nobody has asked for', async () => {
    await using backend = await startBackend((socket) => {
      socket.write(OK)
    })
    using client = new HttpClient()
    await textOf(client, requestTo(backend.port))
    for (const socket of backend.sockets) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad')
    await until('the connection to be closed', () => backend.sockets.size === 0)
    expect(await textOf(client, requestTo(backend.port))).toBe('200 ok')
  })

  it('are closed when they have been idle for long', async () => {
    await using backend = await startBackend((socket) => socket.write(OK))
    using client = new HttpClient({ idleMs: 1000 })
    await textOf(client, requestTo(backend.port))
    await until('the connection to be closed', () => backend.sockets.size === 0)
    expect(await textOf(client, requestTo(backend.port))).toBe('200 ok')
  })

  it('do not keep the process while they are idle', async () => {
    await using backend = await startBackend((socket) => socket.write(OK))
    const main = fileURLToPath(new URL('./one-request-main.ts', import.meta.url))
    const args = ['--conditions=development', main, `http://127.0.0.1:${backend.port}/`]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(stdout).toBe('200\n')
  })
})

describe('HttpClient, answers', () => {
  it('are cut at the limit of the reader, and their connection is closed', async () => {
    await using backend = await startBackend((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n${'x'.repeat(2 * LIMIT)}`)
    })
    using client = new HttpClient()
    expect(await textOf(client, requestTo(backend.port))).toBe(`200 ${'x'.repeat(LIMIT)}…`)
    await until('the connection to be closed', () => backend.sockets.size === 0)
  })

  it('are not taken from the network before somebody reads them', async () => {
    const size = 64 * 1024 * 1024
    let isWritten = false
    await using server = await startHttpServer((_req, res) => {
      res.writeHead(200, { 'content-length': size })
      res.write(Buffer.alloc(size), () => {
        isWritten = true
      })
    })
    using client = new HttpClient()
    const answer = await client.request({ method: 'GET', url: server.url, timeoutMs: 60_000 })
    // A request that is answered meanwhile: more would have come by then.
    await textOf(client, { method: 'GET', url: `${server.url}/other`, timeoutMs: 60_000 }).catch(() => {})
    expect(isWritten).toBe(false)
    expect((await answer.read(size)).bytes).toHaveLength(size)
  })

  it('that nobody wants are read when they are short: the connection is used again', async () => {
    await using backend = await startBackend((socket) => socket.write(OK))
    using client = new HttpClient()
    for (let count = 0; count < 3; count += 1) {
      const answer = await client.request(requestTo(backend.port))
      answer.discard()
    }
    expect(backend.connections).toHaveLength(1)
  })

  it('broken off say so', async () => {
    await using backend = await startBackend((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell')
    })
    using client = new HttpClient()
    const answer = await client.request(requestTo(backend.port))
    expect(await answer.read(LIMIT)).toMatchObject({ isCut: false, brokenBy: { code: 'HTTP_BROKE_OFF' } })
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

  it('end with the client', async () => {
    let requests = 0
    await using backend = await startBackend(() => {
      requests += 1
    })
    const client = new HttpClient()
    const sent = textOf(client, requestTo(backend.port))
    void until('the request', () => requests === 1).then(() => client[Symbol.dispose]())
    await expect(sent).rejects.toMatchObject({ code: 'HTTP_CLIENT_CLOSED' })
    await expect(client.request(requestTo(backend.port))).rejects.toMatchObject({ code: 'HTTP_CLIENT_CLOSED' })
  })
})

describe('HttpClient, a connection that the other side has closed', () => {
  it.each([
    [true, '200 ok'],
    [false, 'HTTP_BROKE_OFF or ECONNRESET'],
  ])('with isRepeatable: %s: %s', async (isRepeatable, expected) => {
    await using backend = await startBackend((socket, { text }) => {
      if (text.split('GET').length > 2) socket.resetAndDestroy()
      else socket.write(OK)
    })
    using client = new HttpClient()
    await textOf(client, requestTo(backend.port))
    const again = textOf(client, requestTo(backend.port, { isRepeatable })).catch(({ code }) =>
      code === 'HTTP_BROKE_OFF' || code === 'ECONNRESET' ? 'HTTP_BROKE_OFF or ECONNRESET' : code,
    )
    expect(await again).toBe(expected)
    expect(backend.connections).toHaveLength(isRepeatable ? 2 : 1)
  })
})
