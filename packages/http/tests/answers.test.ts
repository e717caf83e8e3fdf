import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readBody } from '../src/index.ts'
import { PatientAgent } from '../src/patient-socket.ts'
import { until } from './client-peers.ts'
import { answers, sendRaw, startBackend, startProxy } from './raw-peers.ts'

const get = 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n'

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

  it('that come behind an answer which the client has not read yet close its connection', async () => {
    const size = 60_000
    await using backend = await startBackend((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n${'a'.repeat(size)}`)
    })
    await using agent = Object.assign(new PatientAgent({ keepAlive: true }), {
      async [Symbol.asyncDispose]() {
        agent.destroy()
      },
    })
    const asked = request({ agent, host: '127.0.0.1', port: backend.port }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    await until('all of the answer to be parsed', () => answer.complete)
    for (const socket of backend.sockets) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen')
    await until('the connection to be closed', () => backend.sockets.size === 0)
    expect((await readBody(answer, size))?.length).toBe(size)
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

  it('of a service that resets the connection of a request that it has not read arrive all the same', async () => {
    await using backend = await startBackend((socket) => {
      socket.pause()
      socket.write('HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\nok', () => socket.resetAndDestroy())
    })
    await using proxy = await startProxy(backend.port)
    const [piece, pieces] = [Buffer.alloc(100_000, 'x'), 20]
    for (let count = 0; count < 10; count += 1) {
      const client = connect(proxy.port, '127.0.0.1')
      const answer = once(client, 'data')
      client.write(`POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: ${piece.length * pieces}\r\n\r\n`)
      for (let sent = 0; sent < pieces; sent += 1) {
        client.write(piece)
        await nextTurn()
      }
      expect(String(await answer)).toContain(' 413 ')
      client.destroy()
    }
    expect(backend.connections).toHaveLength(10)
  })
})
