import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { startHttpServer } from '@taproom/testkit'
import type { CloudEventV1 } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { parseEvent, readEvent, sendEvent } from '../src/index.ts'
import { makeEvent } from './make-event.ts'
import { answer, replyHeaders, sendTo } from './send-to.ts'

const STRUCTURED = 'application/cloudevents+json; charset=utf-8'

describe('sendEvent, the request', () => {
  it.each(['binary', 'json'] as const)('carries the event in %s format with Prefer: reply', async (format) => {
    const received: (Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: Buffer })[] = []
    const event = makeEvent({ subject: 'Größe 100%' })
    await using server = await startHttpServer(async (req, res) => {
      const body = Buffer.concat(await req.toArray())
      received.push({ method: req.method, url: req.url, headers: req.headers, body })
      res.end()
    })
    const url = `${server.url}/path?q=1`
    await sendEvent({ url, event, format, timeoutMs: 60_000, headers: { 'x-request-id': '7', 'ce-id': 'not this' } })
    const [request] = received
    expect(request).toMatchObject({ method: 'POST', url: '/path?q=1' })
    expect(request?.headers).toMatchObject({ prefer: 'reply', 'x-request-id': '7' })
    expect(
      request && parseEvent({ ...request.headers, ...(format === 'json' && { 'ce-id': undefined }) }, request.body),
    ).toEqual(event)
  })

  const { data: _, ...withoutData } = makeEvent()
  it.each<['binary' | 'json', string, CloudEventV1<Buffer>, string]>([
    ['binary', 'a JSON array', makeEvent({ data: Buffer.from('[1]') }), 'application/json'],
    ['binary', 'empty data', makeEvent({ data: Buffer.alloc(0), datacontenttype: 'text/plain' }), 'text/plain'],
    ['binary', 'JSON without data', withoutData, 'application/json'],
    ['binary', '12 KiB of headers', makeEvent({ ext: '€'.repeat(1300) }), 'application/json'],
    ['binary', 'an event as data', makeEvent({ datacontenttype: 'application/cloudevents+json' }), STRUCTURED],
    ['json', 'any data', makeEvent(), STRUCTURED],
  ])('has the format %s where that is wanted: %s', async (format, _case, event, contentType) => {
    const listener: RequestListener = (req, res) => {
      res.writeHead(req.headers['content-type'] === contentType ? 204 : 400).end()
    }
    expect(await sendTo(listener, { event, format })).toEqual({ delivered: true, status: 204 })
  })

  it('decisions 1.82: is in structured mode where headers would be more than 16 KiB', async () => {
    const event = makeEvent({ ext: '€'.repeat(1300) })
    const listener: RequestListener = async (req, res) => {
      const read = await readEvent(req)
      res.writeHead(read['ext'] === event['ext'] ? 204 : 500).end()
    }
    for (const trace of ['', 'x'.repeat(8000)]) {
      expect(await sendTo(listener, { event, headers: { trace } })).toEqual({ delivered: true, status: 204 })
    }
  })

  it('goes to the path that is given beside the URL', async () => {
    const listener: RequestListener = (req, res) => res.writeHead(req.url === '/deep?x=1' ? 204 : 400).end()
    expect(await sendTo(listener, { path: '/deep?x=1' })).toEqual({ delivered: true, status: 204 })
  })

  it('leaves out headers that HTTP cannot carry', async () => {
    const listener: RequestListener = (req, res) => {
      res.writeHead(req.headers['x-a'] === undefined && req.headers['x-b'] === 'b' ? 204 : 400).end()
    }
    const headers = { 'x-a': 'a\r\nb', 'x-b': 'b' }
    expect(await sendTo(listener, { headers })).toEqual({ delivered: true, status: 204 })
  })

  it('asks for no reply where none is wanted', async () => {
    const listener: RequestListener = (req, res) => {
      res.writeHead(req.headers['prefer'] === undefined ? 204 : 400).end()
    }
    expect(await sendTo(listener, { prefersReply: false })).toEqual({ delivered: true, status: 204 })
  })

  it('carries an event without data', async () => {
    const { data: _, datacontenttype: __, ...event } = makeEvent()
    const outcome = await sendTo(
      (req, res) => {
        res
          .writeHead(req.headers['content-length'] === '0' && req.headers['content-type'] === undefined ? 204 : 400)
          .end()
      },
      { event },
    )
    expect(outcome).toEqual({ delivered: true, status: 204 })
  })
})

describe("sendEvent, what a sender does with a subscriber's answer", () => {
  it.each([200, 201, 202, 204, 299])('decisions 3.12: %d is delivered', async (status) => {
    expect(await sendTo(answer(status))).toEqual({ delivered: true, status })
  })

  it('decisions 3.12: 202 with a body is delivered, the body ignored', async () => {
    expect(await sendTo(answer(202, replyHeaders, 'x'))).toEqual({ delivered: true, status: 202 })
  })

  it.each([404, 408, 409, 429, 500, 502, 503, 504, 599])('decisions 3.12: %d is worth a retry', async (status) => {
    expect(await sendTo(answer(status, {}, 'why'))).toEqual({
      delivered: false,
      retryable: true,
      status,
      reason: 'status',
      body: Buffer.from('why'),
    })
  })

  it.each([300, 301, 302, 304, 307, 400, 401, 403, 405, 410, 413, 422, 499])(
    'decisions 3.12: %d is not delivered and not retried',
    async (status) => {
      const outcome = await sendTo(answer(status, { location: 'http://127.0.0.1:1/' }))
      expect(outcome).toEqual({ delivered: false, retryable: false, status, reason: 'status' })
    },
  )

  it('decisions 3.12: 101 is not delivered and not retried', async () => {
    const server = createServer((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const outcome = await sendEvent({ url: `http://127.0.0.1:${port}`, event: makeEvent(), timeoutMs: 60_000 })
    server.close()
    expect(outcome).toEqual({ delivered: false, retryable: false, status: 101, reason: 'status' })
  })

  it.each([
    ['204 with a body', 204, 'Content-Length: 5\r\n\r\nhello'],
    ['204 in chunks', 204, 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['202 and more than its body', 202, 'Content-Length: 0\r\n\r\nok'],
    ['200 and more than its body', 200, 'Content-Length: 0\r\n\r\nok'],
    ['202 whose body is broken', 202, 'Transfer-Encoding: chunked\r\n\r\nxyz\r\n'],
  ])('%s is delivered: what comes behind an answer is no part of it', async (_case, status, rest) => {
    let requests = 0
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => {
        requests += 1
        socket.write(`HTTP/1.1 ${status} Some\r\n${rest}`)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const outcome = await sendEvent({ url: `http://127.0.0.1:${port}`, event: makeEvent(), timeoutMs: 60_000 })
    server.close()
    expect(outcome).toEqual({ delivered: true, status })
    expect(requests).toBe(1)
  })

  it('decisions 1.60: 200 with an event is a reply', async () => {
    const outcome = await sendTo(answer(200, { ...replyHeaders, 'content-type': 'text/plain' }, 'hi'))
    expect(outcome).toMatchObject({ delivered: true, status: 200, reply: { id: 'r', data: Buffer.from('hi') } })
    const structured = JSON.stringify({ specversion: '1.0', id: 's', source: '/sink', type: 'reply' })
    expect(await sendTo(answer(200, { 'content-type': 'application/cloudevents+json' }, structured))).toMatchObject({
      delivered: true,
      reply: { id: 's' },
    })
  })

  it.each([
    ['a body that is no event', { 'content-type': 'text/plain' }, 'OK'],
    ['an event that breaks a rule', { ...replyHeaders, 'ce-time': 'now' }, ''],
    ['an event larger than the limit', replyHeaders, 'x'.repeat(1_048_577)],
  ])('200 with %s is a failure inside, worth a retry', async (_case, headers, body) => {
    const outcome = await sendTo(answer(200, headers, body))
    expect(outcome).toMatchObject({ delivered: false, retryable: true, status: 502, reason: 'invalid-reply' })
  })

  it.each([
    [429, '2', 2000],
    [503, '0', 0],
    [503, 'soon', undefined],
    [500, '2', undefined],
  ])('on %d, Retry-After: %s asks for %j ms', async (status, header, retryAfterMs) => {
    const outcome = await sendTo(answer(status, { 'retry-after': header }))
    expect(outcome).toEqual({
      delivered: false,
      retryable: true,
      status,
      reason: 'status',
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    })
  })

  it('decisions 1.78: keeps at most 1024 bytes of an error, as they are', async () => {
    const outcome = await sendTo(answer(500, {}, 'ä'.repeat(100_000)))
    expect(outcome).toMatchObject({ status: 500, body: Buffer.from('ä'.repeat(512)) })
  })

  it.each([
    ['429', '9'.repeat(400)],
    ['503', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ])('on %s, Retry-After: %s asks for no more than a timer can wait', async (status, header) => {
    const outcome = await sendTo(answer(Number(status), { 'retry-after': header }))
    expect(outcome).toMatchObject({ retryAfterMs: 2 ** 31 - 1 })
  })

  it.each([
    ['without end', 100 * 1024 * 1024],
    ['of 65 KiB', 65 * 1024],
  ])('gives up the connection of a 202 with a body %s that nobody wants', async (_case, bytes) => {
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    const outcome = await sendTo((req, res) => {
      res.on('close', resolve)
      req.resume().on('end', () => {
        res.writeHead(202, { 'content-length': bytes }).write(Buffer.alloc(Math.min(bytes - 1, 1024 * 1024)))
      })
    })
    expect(outcome).toEqual({ delivered: true, status: 202 })
    await gone
  })

  it('reads a reply whose body comes byte by byte', async () => {
    const outcome = await sendTo((req, res) => {
      req.resume().on('end', () => {
        res.writeHead(200, { ...replyHeaders, 'content-type': 'text/plain' })
        for (let byte = 0; byte < 1000; byte += 1) res.write('x')
        res.end()
      })
    })
    expect(outcome).toMatchObject({ delivered: true, reply: { data: Buffer.alloc(1000, 'x') } })
  })

  it('decisions 1.82: an answer with more headers than 16 KiB is no answer', async () => {
    const outcome = await sendTo(answer(200, { 'x-long': 'x'.repeat(20_000) }))
    expect(outcome).toMatchObject({
      delivered: false,
      reason: 'unreachable',
      cause: { code: 'HTTP_ANSWER_HEAD_TOO_LARGE' },
    })
  })

  it('answers before the answer, as many as come, change nothing', async () => {
    const outcome = await sendTo((_req, res) => {
      for (let number = 0; number < 100; number += 1) res.writeProcessing()
      res.writeHead(204).end()
    })
    expect(outcome).toEqual({ delivered: true, status: 204 })
  })
})
