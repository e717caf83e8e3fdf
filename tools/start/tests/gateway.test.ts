import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { call, startGateway } from './fixtures/gateway.ts'

describe('gateway proxy', () => {
  it('passes method, path, headers and body on untouched', async () => {
    await using system = await startGateway(async (req, res) => {
      res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.rawHeaders, body: await text(req) }))
    })
    const body = Buffer.from('{"price": 12.50,\r\n "ü":1}')
    const response = await call(`${system.url}/brokers/default/default?a=%20b`, {
      method: 'POST',
      headers: {
        'Ce-Id': 'a%20b',
        'ce-EXTENSION': 'Ä'.normalize(),
        'Content-Length': body.length,
        Host: 'Example.org:1',
      },
      body,
    })
    const seen = JSON.parse(await text(response))
    expect(seen).toMatchObject({ method: 'POST', url: '/default/default?a=%20b', body: body.toString() })
    const pairs = Array.from({ length: seen.headers.length / 2 }, (_, i) => seen.headers.slice(2 * i, 2 * i + 2))
    expect(pairs).toEqual(
      expect.arrayContaining([
        ['Ce-Id', 'a%20b'],
        ['ce-EXTENSION', 'Ä'.normalize()],
        ['Host', 'Example.org:1'],
      ]),
    )
  })

  it('passes status and headers of the answer back untouched, repeated ones too', async () => {
    await using system = await startGateway((_, res) => {
      res.writeHead(
        401,
        'Nope',
        [
          ['WWW-Authenticate', 'Bearer realm="taproom"'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['content-length', '0'],
        ].flat(),
      )
      res.end()
    })
    const response = await call(`${system.url}/secure/claim`)
    expect(response.statusCode).toBe(401)
    expect(response.statusMessage).toBe('Nope')
    expect(response.rawHeaders).toEqual(expect.arrayContaining(['WWW-Authenticate', 'Bearer realm="taproom"', 'b=2']))
    expect(response.headers['content-length']).toBe('0')
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2'])
  })

  it.each([413, 431])('passes a %i that comes before the body has been read back', async (status) => {
    await using system = await startGateway((_, res) => {
      res.writeHead(status, { 'content-type': 'application/problem+json', connection: 'close' }).end('{}')
    })
    const response = await call(`${system.url}/brokers/a/b`, { method: 'POST', body: Buffer.alloc(3_000_000) })
    expect(response.statusCode).toBe(status)
    expect(await text(response)).toBe('{}')
  })

  it('passes on a body of unknown length and gives none to a request without one', async () => {
    await using system = await startGateway(async (req, res) => {
      res.end(JSON.stringify([req.headers['transfer-encoding'], req.headers['content-length'], await text(req)]))
    })
    const chunked = await call(`${system.url}/sinks/a`, {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
      body: 'abc',
    })
    expect(JSON.parse(await text(chunked))).toEqual(['chunked', null, 'abc'])
    const get = await call(`${system.url}/movie`)
    expect(JSON.parse(await text(get))).toEqual([null, null, ''])
  })

  it('passes each server-sent event on as it comes, and the end of the client to the service', async () => {
    let send: (chunk: string) => void = () => {}
    const left = Promise.withResolvers<void>()
    await using system = await startGateway((_, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      send = (chunk) => res.write(chunk)
      res.once('close', () => left.resolve())
    })
    const response = await call(`${system.url}/beer`)
    expect(response.headers['content-type']).toBe('text/event-stream')
    send('data: 1\n\n')
    expect(String(await once(response, 'data'))).toBe('data: 1\n\n')
    send('data: 2\n\n')
    expect(String(await once(response, 'data'))).toBe('data: 2\n\n')
    response.destroy()
    await left.promise
  })

  it('breaks the answer off when the service does, so that it never looks complete', async () => {
    await using system = await startGateway((_, res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.write('[{"name":"a"}', () => res.destroy())
    })
    const response = await call(`${system.url}/beer/all`)
    await expect(text(response)).rejects.toThrow('aborted')
  })

  it('breaks the request off when the client does', async () => {
    const broken = Promise.withResolvers<void>()
    await using system = await startGateway((req) => {
      req.resume().once('error', () => broken.resolve())
    })
    const socket = connect(system.port, '127.0.0.1')
    socket.write('POST /sinks/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
    await waitFor('the request', () => system.behind.requests.length >= 1)
    socket.destroy()
    await broken.promise
  })

  it('answers 502 when the service breaks off before its answer, 503 when it is down, both to be tried again', async () => {
    const failures: unknown[] = []
    const onFailure = (...failure: unknown[]) => failures.push(failure)
    await using broken = await startGateway((req) => req.socket.destroy(), { onFailure })
    await using down = await startGateway(() => {}, { portOf: () => undefined, onFailure })
    await using closed = await startGateway(() => {}, { portOf: () => 9, onFailure })
    for (const [{ url }, status] of [
      [broken, 502],
      [down, 503],
      [closed, 503],
    ] as const) {
      const response = await call(`${url}/movie`)
      expect(response.statusCode).toBe(status)
      expect(response.headers['retry-after']).toBe('1')
      expect(response.headers['content-type']).toBe('application/problem+json')
      expect(JSON.parse(await text(response))).toMatchObject({ status, title: expect.any(String) })
    }
    expect(failures).toEqual([
      ['movie-api', 502, 'ECONNRESET'],
      ['movie-api', 503, 'not running'],
      ['movie-api', 503, 'ECONNREFUSED'],
    ])
  })

  it('decisions 1.74: an unknown path is a 404 problem that lists nothing', async () => {
    await using system = await startGateway(() => {})
    const response = await call(`${system.url}/nothing`, { method: 'POST', body: 'x' })
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toBe('application/problem+json')
    const body = await text(response)
    expect(body).not.toContain('api')
    expect(system.behind.requests).toEqual([])
  })

  it('leads a request that names a whole URL by its host and path', async () => {
    await using system = await startGateway((req, res) => res.end(req.url))
    const socket = connect(system.port, '127.0.0.1')
    socket.write('GET http://localhost/movie?year=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await text(socket)).toContain('/movie?year=1')
  })

  it.each([
    [
      'that of a whole URL, not the one beside it',
      'POST http://default-broker.default.svc.cluster.local/ HTTP/1.1\r\nHost: x',
      'default-broker.default.svc.cluster.local',
    ],
    ['the one beside a path', 'GET /movie HTTP/1.1\r\nHost: x:1', 'x:1'],
    ['that of the service for a client of HTTP/1.0 without one', 'GET /movie HTTP/1.0', '127.0.0.1:{port}'],
  ])('passes exactly one host on: %s', async (_, head, expected) => {
    await using system = await startGateway((req, res) => res.end(JSON.stringify(req.headersDistinct['host'])))
    const socket = connect(system.port, '127.0.0.1')
    socket.write(`${head}\r\nConnection: close\r\n\r\n`)
    const [, body] = (await text(socket)).split('\r\n\r\n')
    expect(body).toContain(JSON.stringify([expected.replace('{port}', String(system.behind.port))]))
  })

  it.each([
    ['GET /secure/claim', 'content-length', 'Content-Length: 40'],
    ['DELETE /sinks/a', 'Content-Length', 'Content-Length: 40'],
    ['OPTIONS /beer', 'content-length, close', 'Content-Length: 40'],
    ['POST /brokers/default/default', 'transfer-encoding', 'Transfer-Encoding: chunked'],
    ['GET /secure/claim', 'Authorization', 'Authorization: Bearer x'],
    ['GET /movie', 'host', 'X: y'],
  ])('refuses %s whose Connection names %s, and reads no other request in its body', async (line, option, header) => {
    await using system = await startGateway((req, res) => res.end(req.url))
    const socket = connect(system.port, '127.0.0.1')
    const inner = `${header.includes('chunked') ? '0\r\n\r\n' : ''}GET /secure/claim HTTP/1.1\r\nHost: x\r\n\r\n`
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: ${option}\r\n${header}\r\n\r\n${inner}`)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    expect(head).toContain('application/problem+json')
    expect(JSON.parse(body).detail).toContain(option.split(',')[0]?.toLowerCase())
    expect(system.behind.requests).toEqual([])
  })

  it('gives services the client as it saw it, whatever the client says itself', async () => {
    await using system = await startGateway((req, res) => res.end(JSON.stringify(req.headers)))
    const told = {
      'X-Forwarded-For': '6.6.6.6',
      'x-forwarded-proto': 'https',
      'X-Forwarded-Host': 'evil',
      Forwarded: 'for=6.6.6.6',
    }
    const headers = JSON.parse(
      await text(await call(`${system.url}/movie`, { headers: { ...told, 'X-Real-IP': '6.6.6.6' } })),
    )
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': `127.0.0.1:${system.port}`,
    })
    expect(JSON.stringify(headers)).not.toMatch(/6\.6\.6\.6|evil/)
  })

  it('asks for the health page by its path when the request names a whole URL', async () => {
    await using system = await startGateway((_, res) => res.end())
    const socket = connect(system.port, '127.0.0.1')
    socket.write('GET http://localhost/q/health-ui/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await text(socket)).toContain('<title>Health</title>')
  })
})
