import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { answers, type Received, requestsIn, sendRaw, startBackend, startProxy } from './raw-peers.ts'

const get = 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n'
const post = 'POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc'

describe('reverse proxy, answers', () => {
  it.each([
    ['a length', 'Content-Length: 2\r\n\r\nok', 'Content-Length: 2'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'],
    ['neither', 'Connection: close\r\n\r\nok', 'Transfer-Encoding: chunked'],
    [
      'a length that Connection names',
      'Connection: content-length\r\nContent-Length: 2\r\n\r\nok',
      'Content-Length: 2',
    ],
    [
      'trailers',
      'Trailer: X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX: 1\r\n\r\n',
      'Transfer-Encoding: chunked',
    ],
  ])('with %s comes back with exactly one framing', async (_, rest, framing) => {
    await using backend = await startBackend((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))
    await using proxy = await startProxy(backend.port)
    const answer = await sendRaw(proxy.port, get, (text) => /ok(?:\r\n0\r\n\r\n)?$/.test(text))
    const lines = answer.split('\r\n').filter((line) => /^(?:content-length|transfer-encoding|trailer|x):/i.test(line))
    expect(lines).toEqual([framing])
  })

  it('without a length comes to a client of HTTP/1.0 up to the end of the connection', async () => {
    await using backend = await startBackend((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nok'))
    await using proxy = await startProxy(backend.port)
    const answer = await sendRaw(proxy.port, 'GET /a HTTP/1.0\r\n\r\n')
    expect(answer).toMatch(/\r\n\r\nok$/)
    expect(answer).not.toMatch(/transfer-encoding/i)
  })

  it('204 comes back without a length', async () => {
    await using backend = await startBackend((socket) => socket.write('HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n'))
    await using proxy = await startProxy(backend.port)
    expect(await sendRaw(proxy.port, get, (text) => text.includes('\r\n\r\n'))).not.toMatch(/content-length/i)
  })

  it.each(['O\u0001K', '\u00e9', '\u00c3\u00a9', ''])('with the phrase %j come back without it', async (phrase) => {
    const head = `HTTP/1.1 200 ${phrase}\r\nContent-Length: 2\r\n\r\nok`
    await using backend = await startBackend((socket) => socket.write(Buffer.from(head, 'latin1')))
    await using proxy = await startProxy(backend.port)
    expect(await sendRaw(proxy.port, get, answers(1))).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('come back with the very bytes of their headers', async () => {
    const head = 'HTTP/1.1 200 OK\r\nce-subject: gr\u00c3\u00b6\u00e9\r\nContent-Length: 2\r\n\r\nok'
    await using backend = await startBackend((socket) => socket.write(Buffer.from(head, 'latin1')))
    await using proxy = await startProxy(backend.port)
    const answer = await sendRaw(proxy.port, get, answers(1))
    expect(Buffer.from(answer, 'latin1').includes(Buffer.from('gr\u00c3\u00b6\u00e9', 'latin1'))).toBe(true)
  })

  it('interim answers stay behind', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'
    await using backend = await startBackend((socket) =>
      socket.write(`${interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`),
    )
    await using proxy = await startProxy(backend.port)
    expect(await sendRaw(proxy.port, get, answers(1))).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nfree bytes'],
    ['a status below 100', 'HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n'],
    ['a status of 600', 'HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n'],
    ['length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokk'],
    ['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['HTTP/1.0 and chunks', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['too many headers', `HTTP/1.1 200 OK\r\n${'a:b\r\n'.repeat(501)}Content-Length: 0\r\n\r\n`],
    ['too large headers', `HTTP/1.1 200 OK\r\na: ${'b'.repeat(20_000)}\r\nContent-Length: 0\r\n\r\n`],
    ['no HTTP', 'SSH-2.0\r\n\r\n'],
    ['half a head', 'HTTP/1.1 200 OK\r\nConte'],
    ['nothing', ''],
  ])('that are none are 502: %s', async (_, bytes) => {
    await using backend = await startBackend((socket) => socket.end(Buffer.from(bytes, 'latin1')))
    await using proxy = await startProxy(backend.port)
    expect(await sendRaw(proxy.port, get)).toMatch(/^HTTP\/1\.1 502 /)
    expect(backend.connections).toHaveLength(1)
  })

  it('to nobody do not become the answer to the next request over that connection', async () => {
    await using backend = await startBackend((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen'),
    )
    await using proxy = await startProxy(backend.port)
    for (let count = 0; count < 5; count += 1) {
      expect(await sendRaw(proxy.port, get, answers(1))).not.toContain('stolen')
    }
  })

  it('to nobody that come while the connection is idle close it', async () => {
    await using backend = await startBackend()
    await using proxy = await startProxy(backend.port)
    await sendRaw(proxy.port, get, answers(1))
    const [kept] = backend.sockets
    if (kept === undefined) throw new Error('the connection is to be kept')
    kept.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen')
    await once(kept, 'close')
    expect(await sendRaw(proxy.port, get, answers(1))).toMatch(/\r\n\r\nok$/)
  })

  it('that come before the whole request leave no connection behind on which the rest of it would be read as another', async () => {
    await using backend = await startBackend((socket) => socket.write('HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\nok'))
    await using proxy = await startProxy(backend.port)
    const client = connect(proxy.port, '127.0.0.1')
    client.write('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nhalf')
    expect(String(await once(client, 'data'))).toContain(' 413 ')
    await sendRaw(proxy.port, get, answers(1))
    expect(backend.connections).toHaveLength(2)
    client.destroy()
  })
})

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
    const seen = backend.connections.map(({ text }) => requestsIn(text).length)
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
