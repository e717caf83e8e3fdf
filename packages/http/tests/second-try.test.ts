import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { answers, type Received, requestsIn, sendRaw, startBackend, startProxy } from './raw-peers.ts'

const get = 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n'
const post = 'POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc'

describe('reverse proxy, second try', () => {
  /** Answers the first request of a connection, and breaks off at the second one once it has read so many bytes of it. */
  const closesKept =
    (bytes = 1) =>
    (socket: Socket, { text }: Received) => {
      const isMore = text.length >= text.indexOf('\r\n\r\n') + 4 + bytes && answered.has(socket)
      if (isMore) socket.destroy()
      else if (!answered.has(socket) && requestsIn(text).length === 1) {
        answered.add(socket)
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      }
    }
  const answered = new WeakSet<Socket>()

  it.each([
    ['GET', get],
    ['POST', post],
    ['POST in chunks', 'POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'],
  ])('%s: a kept connection that is gone costs no 502, but one more connection', async (_, request) => {
    await using backend = await startBackend(closesKept())
    await using proxy = await startProxy(backend.port)
    for (let count = 0; count < 3; count += 1) {
      expect(await sendRaw(proxy.port, request, answers(1))).toMatch(/^HTTP\/1\.1 200 /)
    }
    // Requests that have begun: of the second one on the first connection the service reads no more.
    const seen = backend.connections.map(({ text }) => text.split(' HTTP/1.1').length - 1)
    // The second request came twice, the third one found no connection kept: that of a second try is not used again.
    expect(seen).toEqual([2, 1, 1])
  })

  it('there is only one, and none after a new connection broke', async () => {
    await using backend = await startBackend((socket, received, count) => {
      if (count === 1) closesKept()(socket, received)
      else socket.destroy()
    })
    await using proxy = await startProxy(backend.port)
    await sendRaw(proxy.port, post, answers(1))
    expect(await sendRaw(proxy.port, post)).toMatch(/^HTTP\/1\.1 502 /)
    expect(backend.connections).toHaveLength(2)
    expect(await sendRaw(proxy.port, get)).toMatch(/^HTTP\/1\.1 502 /)
    expect(backend.connections).toHaveLength(3)
  })

  it('a new connection that is reset, with bytes unread, costs no 502 either', async () => {
    await using backend = await startBackend((socket, received, count) => {
      if (count === 1) socket.resetAndDestroy()
      else closesKept()(socket, received)
    })
    await using proxy = await startProxy(backend.port)
    expect(await sendRaw(proxy.port, post, answers(1))).toMatch(/^HTTP\/1\.1 200 /)
    expect(requestsIn(backend.connections[1]?.text ?? '')).toHaveLength(1)
  })

  it('there is only one of a request that is reset each time', async () => {
    await using backend = await startBackend((socket) => socket.resetAndDestroy())
    await using proxy = await startProxy(backend.port)
    expect(await sendRaw(proxy.port, post)).toMatch(/^HTTP\/1\.1 502 /)
    expect(backend.connections).toHaveLength(2)
  })

  it('there is none once a byte of an answer came, or for a body that was too large to keep', async () => {
    await using backend = await startBackend((socket, received) => {
      const count = requestsIn(received.text).length
      if (count === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      else if (count > 1) socket.end(received.text.includes('/half') ? 'H' : '')
    })
    await using proxy = await startProxy(backend.port, { keepBytes: 2 })
    await sendRaw(proxy.port, get, answers(1))
    expect(await sendRaw(proxy.port, 'GET /half HTTP/1.1\r\nHost: h\r\n\r\n')).toMatch(/^HTTP\/1\.1 502 /)
    await sendRaw(proxy.port, get, answers(1))
    expect(await sendRaw(proxy.port, post)).toMatch(/^HTTP\/1\.1 502 /)
    expect(backend.connections).toHaveLength(2)
  })

  it('sends a large body whole again', async () => {
    await using backend = await startBackend(closesKept(70_000))
    await using proxy = await startProxy(backend.port)
    const body = Array.from({ length: 90_000 }, (_, index) => String(index % 10)).join('')
    await sendRaw(proxy.port, get, answers(1))
    const request = `PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    expect(await sendRaw(proxy.port, request, answers(1))).toMatch(/^HTTP\/1\.1 200 /)
    expect(requestsIn(backend.connections[1]?.text ?? '')[0]?.body === body).toBe(true)
  })

  it('a request goes to the next upstream where nobody listens', async () => {
    await using backend = await startBackend()
    await using proxy = await startProxy(1)
    expect(await sendRaw(proxy.port, post)).toMatch(/^HTTP\/1\.1 503 /)
    const told: string[] = []
    const upstreams = [1, backend.port].map((port) => ({
      ...{ host: '127.0.0.1', port },
      unreachable: () => told.push('unreachable'),
      answered: () => told.push('answered'),
      release: () => told.push('released'),
    }))
    await using other = await startProxy(backend.port, {}, () => upstreams.shift() ?? Promise.reject(new Error('none')))
    expect(await sendRaw(other.port, post, answers(1))).toMatch(/^HTTP\/1\.1 200 /)
    expect(requestsIn(backend.received)[0]?.body).toBe('abc')
    expect(told).toEqual(['unreachable', 'released', 'answered', 'released'])
  })

  it.each([
    ['breaks off', ''],
    ['gives an answer that cannot be passed on', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n'],
  ])('a request that a service has read goes to no other upstream when the service %s', async (_, answer) => {
    await using backend = await startBackend((socket, { text }) => {
      if (requestsIn(text).length === 1) socket.end(answer)
    })
    await using other = await startBackend()
    const told: string[] = []
    const upstreams = [backend.port, other.port].map((port) => ({
      ...{ host: '127.0.0.1', port },
      unreachable: () => told.push('unreachable'),
      release: () => told.push('released'),
    }))
    const next = () => upstreams.shift() ?? Promise.reject(new Error('none'))
    await using proxy = await startProxy(backend.port, {}, next)
    expect(await sendRaw(proxy.port, post)).toMatch(/^HTTP\/1\.1 502 /)
    expect(told).toEqual(['released'])
    expect(other.connections).toEqual([])
  })
})

describe('reverse proxy, limits', () => {
  it('refuses requests beyond those that may be under way', async () => {
    await using backend = await startBackend(() => {})
    await using proxy = await startProxy(backend.port, { maxRequests: 1 })
    const waiting = connect(proxy.port, '127.0.0.1')
    waiting.write(get)
    await once(waiting, 'ready')
    while (backend.received === '') await new Promise((resolve) => setImmediate(resolve))
    expect(await sendRaw(proxy.port, get)).toMatch(/^HTTP\/1\.1 503 /)
    waiting.destroy()
    while (backend.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('takes no more of a body than the service takes', async () => {
    await using backend = await startBackend((socket) => socket.pause())
    await using proxy = await startProxy(backend.port, { keepBytes: 0 })
    const client = connect(proxy.port, '127.0.0.1')
    client.on('error', () => {})
    client.write('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000000\r\n\r\n')
    const chunk = Buffer.alloc(1_000_000)
    // What the kernel and the streams on the way hold is some megabytes; the rest of the gigabyte stays with the client.
    let stuck = 0
    for (let count = 0; count < 200 && stuck < 50; ) {
      if (client.writableLength === 0) {
        client.write(chunk)
        count += 1
        stuck = 0
      } else stuck += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(client.bytesWritten).toBeLessThan(100_000_000)
    client.destroy()
  })
})
