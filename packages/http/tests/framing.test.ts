import { describe, expect, it } from 'vitest'
import { answers, requestsIn, sendRaw, startBackend, startProxy } from './raw-peers.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']
/** A whole request in the place where a body is. */
const inner = 'POST /stolen HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'
const chunks = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n`

interface Shape {
  readonly headers: string
  readonly body?: string
  /** What the service gets; undefined for what is refused. */
  readonly arrives?: { readonly body: string; readonly framing: string }
}

const sized = { body: inner, framing: `content-length: ${inner.length}` }
const inChunks = { body: inner, framing: 'transfer-encoding: chunked' }
const shapes: Readonly<Record<string, Shape>> = {
  'a Content-Length': { headers: `Content-Length: ${inner.length}`, body: inner, arrives: sized },
  chunks: { headers: 'Transfer-Encoding: chunked', body: `${chunks}\r\n`, arrives: inChunks },
  'chunks spelled otherwise': { headers: 'tRANSFER-eNCODING: \tChunked ', body: `${chunks}\r\n`, arrives: inChunks },
  'chunks with extensions and trailers': {
    headers: 'Trailer: X-T\r\nTransfer-Encoding: chunked',
    body: `${chunks.replace('\r\n', ';a=b\r\n')}X-T: 1\r\nHost: evil\r\n\r\n`,
    arrives: inChunks,
  },
  'both, length first': { headers: `Content-Length: 5\r\nTransfer-Encoding: chunked`, body: `${chunks}\r\n` },
  'both, chunks first': { headers: `Transfer-Encoding: chunked\r\nContent-Length: 5`, body: `${chunks}\r\n` },
  'a length that Connection names': {
    headers: `Connection: content-length\r\nContent-Length: ${inner.length}`,
    body: inner,
  },
  'a length that a second Connection names, in capitals': {
    headers: `Connection: keep-alive\r\nContent-Length: ${inner.length}\r\nConnection: close ,  CONTENT-LENGTH`,
    body: inner,
  },
  'chunks that Connection names': {
    headers: 'Connection: transfer-encoding\r\nTransfer-Encoding: chunked',
    body: `${chunks}\r\n`,
  },
  'an upgrade': {
    headers: `Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: ${inner.length}`,
    body: inner,
    arrives: sized,
  },
  'an expectation': { headers: `Expect: 100-continue\r\nContent-Length: ${inner.length}`, body: inner, arrives: sized },
  'two lengths': { headers: `Content-Length: ${inner.length}\r\nContent-Length: ${inner.length}`, body: inner },
  'a list of lengths': { headers: `Content-Length: ${inner.length}, ${inner.length}`, body: inner },
  'a length with a sign': { headers: `Content-Length: +${inner.length}`, body: inner },
  'a length in hexadecimal': { headers: 'Content-Length: 0x10', body: inner },
  'chunks twice': { headers: 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', body: `${chunks}\r\n` },
  'another coding': { headers: 'Transfer-Encoding: gzip, chunked', body: `${chunks}\r\n` },
  'a coding that begins like chunks': { headers: 'Transfer-Encoding: chunkedx', body: `${chunks}\r\n` },
  'a folded line': { headers: 'X-A: b\r\n Content-Length: 5\r\nTransfer-Encoding:\r\n chunked', body: `${chunks}\r\n` },
  'a bare line feed': { headers: `X-A: b\nContent-Length: ${inner.length}`, body: inner },
  'a bare carriage return': { headers: `X-A: b\rContent-Length: ${inner.length}`, body: inner },
  'a space before the colon': { headers: `Content-Length : ${inner.length}`, body: inner },
}

describe('reverse proxy, on the wire', () => {
  for (const method of methods) {
    it.each(Object.entries(shapes))(
      `${method} with %s: the service reads that request and no other`,
      async (_, shape) => {
        await using backend = await startBackend()
        await using proxy = await startProxy(backend.port)
        const isWhole = (text: string) => /HTTP\/1\.1 (?!100)/.test(text) && (method === 'HEAD' || answers(1)(text))
        const { headers, body = '', arrives } = shape
        const answer = await sendRaw(
          proxy.port,
          `${method} /a HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n${body}`,
          isWhole,
        )
        if (arrives === undefined) {
          expect(answer === '' || answer.includes(' 400 ')).toBe(true)
          expect(backend.received).toBe('')
          return
        }
        expect(answer).toContain('HTTP/1.1 200 OK')
        const [seen, ...more] = requestsIn(backend.received)
        expect(more).toEqual([])
        expect(seen).toMatchObject({ line: `${method} /a HTTP/1.1`, body: arrives.body })
        const lines = (seen?.headers ?? []).map(([name, value]) => `${name}: ${value}`)
        expect(lines).toContain(arrives.framing)
        expect(lines.filter((line) => /^(?:content-length|transfer-encoding):/.test(line))).toHaveLength(1)
        expect(
          lines.filter((line) => /^(?:upgrade|expect|trailer|te|http2-settings|x-t|keep-alive):/.test(line)),
        ).toEqual([])
        expect(lines.filter((line) => line.startsWith('host:'))).toEqual(['host: h'])
      },
    )
  }

  it.each(methods)('%s without a body has no body there either', async (method) => {
    await using backend = await startBackend()
    await using proxy = await startProxy(backend.port)
    const isWhole = (text: string) => (method === 'HEAD' ? text.includes('\r\n\r\n') : answers(1)(text))
    for (const version of ['1.0', '1.1']) {
      await sendRaw(proxy.port, `${method} /a HTTP/${version}\r\nHost: h\r\nConnection: close\r\n\r\n`, isWhole)
    }
    const requests = backend.connections.flatMap(({ text }) => requestsIn(text))
    expect(requests.map(({ line, body }) => [line, body])).toEqual(Array(2).fill([`${method} /a HTTP/1.1`, '']))
  })

  it.each(methods)('%s of HTTP/1.0: a length is passed on, chunks are refused', async (method) => {
    await using backend = await startBackend()
    await using proxy = await startProxy(backend.port)
    const head = `${method} /a HTTP/1.0\r\nHost: h`
    const refused = await sendRaw(proxy.port, `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}\r\n`)
    expect(refused).toContain(' 400 ')
    await sendRaw(proxy.port, `${head}\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`)
    expect(requestsIn(backend.received).map(({ body }) => body)).toEqual([inner])
  })

  it('keeps pipelined requests of all shapes apart, over connections used again', async () => {
    await using backend = await startBackend()
    await using proxy = await startProxy(backend.port)
    const legal = Object.values(shapes).filter(({ arrives, headers }) => arrives && !/upgrade/i.test(headers))
    const bodies: string[] = []
    for (const method of methods.filter((name) => name !== 'HEAD')) {
      const requests = legal.map(
        ({ headers, body = '' }) => `${method} /a HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n${body}`,
      )
      await sendRaw(proxy.port, requests.join(''), answers(requests.length))
      bodies.push(...legal.map(({ arrives }) => arrives?.body ?? ''))
    }
    const seen = backend.connections.flatMap(({ text }) => requestsIn(text))
    expect(seen.map(({ body }) => body)).toEqual(bodies)
    expect(seen.every(({ line }) => line.includes(' /a '))).toBe(true)
  })

  it.each([
    'host',
    'Transfer-Encoding',
    'content-length',
    'authorization',
    'Content-Type',
    'cookie',
    'ce-id',
    'ce-specversion',
    'traceparent',
    'tracestate',
    'baggage',
    'x-forwarded-for',
    'accept',
    'accept-encoding',
    'content-encoding',
    'cache-control',
    'if-none-match',
    'range',
    'origin',
    'referer',
    'user-agent',
    'via',
    'forwarded',
    'date',
    'prefer',
    'set-cookie',
    'sec-fetch-site',
    'last-event-id',
    'expect',
    'from',
    'connection',
  ])('refuses a request whose Connection names %s, and says so', async (name) => {
    await using backend = await startBackend()
    await using proxy = await startProxy(backend.port)
    for (const value of [name, `close, ${name}`, `keep-alive,${name.toUpperCase()} ,te`, `,, ${name}\t`]) {
      const answer = await sendRaw(
        proxy.port,
        `GET /a HTTP/1.1\r\nHost: h\r\nConnection: x-hop\r\nConnection: ${value}\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain(name.toLowerCase())
    }
    expect(backend.received).toBe('')
  })

  it('drops the fixed fields of a connection and private ones that Connection names', async () => {
    await using backend = await startBackend()
    await using proxy = await startProxy(backend.port)
    const headers =
      'Connection: X-Hop, close, te\r\nx-hop: 1\r\nX-HOP: 2\r\nTE: trailers\r\nKeep-Alive: timeout=9\r\nProxy-Connection: close\r\nProxy-Authorization: Basic x\r\nX-Kept: 1'
    await sendRaw(proxy.port, `GET /a HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n`)
    const names = requestsIn(backend.received)[0]?.headers.map(([name]) => name)
    expect(names).toEqual([
      'host',
      'x-kept',
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-forwarded-host',
      'via',
      'connection',
    ])
  })

  it('at the edge, tells what it saw of the client instead of what the client says', async () => {
    await using backend = await startBackend()
    await using proxy = await startProxy(backend.port)
    const told = [
      'X-Forwarded-For',
      'x-forwarded-for',
      'X_Forwarded_For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Forwarded-Port',
      'X-Real-IP',
      'True-Client-IP',
      'CF-Connecting-IP',
      'X-Original-URL',
      'X-Rewrite-URL',
      'Forwarded',
      'Via',
      'X-Client-IP',
    ]
    const headers = told.map((name) => `${name}: 6.6.6.6`).join('\r\n')
    await sendRaw(proxy.port, `GET /a HTTP/1.1\r\nHost: h:1\r\n${headers}\r\n\r\n`, answers(1))
    expect(requestsIn(backend.received)[0]?.headers).toEqual([
      ['host', 'h:1'],
      ['x-forwarded-for', '127.0.0.1'],
      ['x-forwarded-proto', 'http'],
      ['x-forwarded-host', 'h:1'],
      ['via', '1.1 taproom'],
      ['connection', 'keep-alive'],
    ])
  })

  it('behind the edge, adds itself to what is told', async () => {
    await using backend = await startBackend()
    await using proxy = await startProxy(backend.port, { position: 'behind-edge' })
    await sendRaw(proxy.port, 'GET /a HTTP/1.0\r\nHost: h\r\nX-Forwarded-For: 1.2.3.4\r\nVia: 1.1 taproom\r\n\r\n')
    expect(requestsIn(backend.received)[0]?.headers.filter(([name]) => /^(?:x-forwarded-for|via)$/.test(name))).toEqual(
      [
        ['x-forwarded-for', '1.2.3.4'],
        ['via', '1.1 taproom'],
        ['x-forwarded-for', '127.0.0.1'],
        ['via', '1.0 taproom'],
      ],
    )
  })

  it.each(['//other/path', '/%2e%2e/a', '/a/../b', '/a%2Fb', '/a?x=/../&y=%00', '/;a', '/a|b', '/sinks/x/./y', '/'])(
    'passes the path %s on as it is',
    async (path) => {
      await using backend = await startBackend()
      await using proxy = await startProxy(backend.port)
      await sendRaw(proxy.port, `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`, answers(1))
      expect(requestsIn(backend.received)[0]?.line).toBe(`GET ${path} HTTP/1.1`)
    },
  )
})
