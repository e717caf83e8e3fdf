import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createCertificate } from './certificate.ts'
import { answerOf, request, start } from './raw-client.ts'
import { ask, clients, endTls, filesOf, openTls, serve, startTls } from './tls-server.ts'

afterEach(endTls)

describe('decisions 3.45: a service that speaks TLS', () => {
  it('answers who trusts its certificate, and tells browsers to come so only', async () => {
    const pair = createCertificate()
    const { server, port } = await startTls(serve, { tls: filesOf(pair).tls })
    expect(server.url).toBe(`https://127.0.0.1:${port}`)
    const trusting = { ca: pair.cert, rejectUnauthorized: true }
    const { answer } = await ask(port, request('/', 'Connection: close\r\n'), trusting)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toContain('\r\nStrict-Transport-Security: max-age=31536000\r\n')
    expect(answer).toContain('\r\nX-Content-Type-Options: nosniff\r\n')
  })

  it('says nothing of that without TLS', async () => {
    const server = await start(serve)
    expect((await fetch(server.url)).headers.has('strict-transport-security')).toBe(false)
  })

  it('speaks TLS 1.2 and 1.3, nothing older, and no plain HTTP', async () => {
    const { port } = await startTls()
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const options = { minVersion: version, maxVersion: version }
      expect((await ask(port, request('/', 'Connection: close\r\n'), options)).answer).toMatch(/^HTTP\/1\.1 200 /)
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    expect(await ask(port, request('/'), old)).toMatchObject({ answer: '', error: expect.any(Error) })
    const plain = connect(port, '127.0.0.1')
    clients.push(plain)
    plain.write(request('/'))
    expect((await answerOf(plain)).answer).not.toContain('served')
  })

  it('takes an encrypted key with its passphrase', async () => {
    const { tls } = filesOf(createCertificate({ passphrase: 'sesame' }))
    const { port } = await startTls(serve, { tls: { ...tls, passphrase: 'sesame' } })
    expect((await ask(port, request('/', 'Connection: close\r\n'))).answer).toContain('served')
    await expect(start(serve, { tls: { ...tls, passphrase: 'open' } })).rejects.toThrow('HTTP_SSL_KEY_PASSPHRASE')
  })
})

describe('decisions 3.45: what listen promises holds over TLS', () => {
  it.each([
    ['what is not HTTP', 400, 'HELLO\r\n\r\n'],
    ['no Host', 400, 'GET / HTTP/1.1\r\n\r\n'],
    ['large headers', 431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
    ['CONNECT', 405, 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
  ])('%s is %i problem+json', async (_, status, bytes) => {
    const { port } = await startTls()
    const { answer, error } = await ask(port, bytes)
    expect(error).toBeUndefined()
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toContain('application/problem+json')
    expect(answer).toContain('\r\nStrict-Transport-Security: max-age=31536000\r\n')
  })

  it.each([
    ['says nothing', ''],
    ['does not end its headers', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['does not end its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n1'],
  ])('a client that %s gets 408', async (_, bytes) => {
    const { port } = await startTls((req) => void req.resume(), {
      ...{ headersTimeoutMs: 1000, requestTimeoutMs: 1000, lingerMs: 40 },
    })
    expect((await ask(port, bytes)).answer).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('a client that ends no handshake is let go', async () => {
    const { port } = await startTls(serve, { headersTimeoutMs: 100 })
    const client = connect(port, '127.0.0.1')
    clients.push(client)
    client.resume()
    await once(client, 'close')
  })

  it('a client that takes nothing of its answer is let go', async () => {
    const gone = Promise.withResolvers<void>()
    const { port } = await startTls(
      (_req, res) => {
        res.on('close', () => gone.resolve())
        res.write(Buffer.alloc(50_000_000))
      },
      { writeTimeoutMs: 100 },
    )
    const client = openTls(port)
    client.on('error', () => {})
    client.pause()
    client.write(request('/'))
    await gone.promise
  })

  it.each(['close', 'keep-alive'])('an early answer arrives whole, with Connection: %s', async (connection) => {
    const { port } = await startTls(
      (_req, res) => void res.writeHead(413, connection === 'close' ? { connection } : {}).end('too large'),
    )
    for (let count = 0; count < 3; count += 1) {
      const client = openTls(port)
      client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n')
      client.write(Buffer.alloc(8_000_000))
      if (connection === 'keep-alive') client.write(request('/', 'Connection: close\r\n'))
      const { answer, error } = await answerOf(client)
      expect(error).toBeUndefined()
      expect(answer.split('too large')).toHaveLength(connection === 'close' ? 2 : 3)
    }
  })

  it('a request that goes on after its answer ends', async () => {
    const { port } = await startTls((_req, res) => void res.writeHead(413, { Connection: 'close' }).end(), {
      lingerBytes: 1_000_000,
    })
    const client = openTls(port)
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000000\r\n\r\n')
    const closed = answerOf(client)
    const large = Buffer.alloc(1_000_000)
    const more = () => {
      while (client.writable && client.write(large));
    }
    client.on('drain', more)
    more()
    await closed
    expect(client.bytesWritten).toBeLessThan(1_000_000_000)
  })

  it('pipelined requests are answered in their order', async () => {
    const { port } = await startTls((req, res) => void setImmediate(() => res.end(`<${req.url}>`)))
    const paths = Array.from({ length: 200 }, (_, index) => `/${index}`)
    const bytes = paths.map((path) => request(path, path === '/199' ? 'Connection: close\r\n' : '')).join('')
    expect([...(await ask(port, bytes)).answer.matchAll(/<(.*?)>/g)].map(([, path]) => path)).toEqual(paths)
  })

  it('it closes at once, whatever has only begun to connect', async () => {
    const { server, port } = await startTls(serve, { drainMs: 3_600_000 })
    const waiting = connect(port, '127.0.0.1')
    clients.push(waiting)
    waiting.on('error', () => {})
    await once(waiting, 'connect')
    const idle = openTls(port)
    idle.on('error', () => {})
    idle.write(request('/'))
    await once(idle, 'data')
    await server[Symbol.asyncDispose]()
  })
})
