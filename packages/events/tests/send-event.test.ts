import { once } from 'node:events'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { parseEvent, type SendOptions, sendEvent } from '../src/index.ts'
import { makeEvent } from './make-event.ts'
import { startServer } from './start-server.ts'

async function sendTo(listener: RequestListener, options: Partial<SendOptions> = {}) {
  await using server = await startServer(listener)
  return await sendEvent({ url: server.url, event: makeEvent(), timeoutMs: 5000, ...options })
}

function answer(status: number, headers: Record<string, string> = {}, body = ''): RequestListener {
  return (req, res) => {
    req.resume().on('end', () => res.writeHead(status, headers).end(body))
  }
}

const replyHeaders = { 'ce-specversion': '1.0', 'ce-id': 'r', 'ce-source': '/sink', 'ce-type': 'reply' }

describe('sendEvent, the request', () => {
  it.each(['binary', 'json'] as const)('carries the event in %s format with Prefer: reply', async (format) => {
    const received: {
      method?: string | undefined
      url?: string | undefined
      headers: IncomingHttpHeaders
      body: Buffer
    }[] = []
    const event = makeEvent({ subject: 'Größe 100%' })
    await using server = await startServer(async (req, res) => {
      const body = Buffer.concat(await req.toArray())
      received.push({ method: req.method, url: req.url, headers: req.headers, body })
      res.end()
    })
    const url = `${server.url}/path?q=1`
    await sendEvent({ url, event, format, timeoutMs: 5000, headers: { 'x-request-id': '7', 'ce-id': 'not this' } })
    const [request] = received
    expect(request).toMatchObject({ method: 'POST', url: '/path?q=1' })
    expect(request?.headers).toMatchObject({ prefer: 'reply', 'x-request-id': '7' })
    expect(
      request && parseEvent({ ...request.headers, ...(format === 'json' && { 'ce-id': undefined }) }, request.body),
    ).toEqual(event)
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
  it.each([200, 201, 202, 204, 299])('lead: %d is delivered', async (status) => {
    expect(await sendTo(answer(status))).toEqual({ delivered: true, status })
  })

  it('lead: 202 with a body is delivered, the body ignored', async () => {
    expect(await sendTo(answer(202, replyHeaders, 'x'))).toEqual({ delivered: true, status: 202 })
  })

  it.each([404, 408, 409, 429, 500, 502, 503, 504, 599])('lead: %d is worth a retry', async (status) => {
    expect(await sendTo(answer(status, {}, 'why'))).toEqual({
      delivered: false,
      retryable: true,
      status,
      reason: 'status',
      body: 'why',
    })
  })

  it.each([300, 301, 302, 304, 307, 400, 401, 403, 405, 410, 413, 422, 499])(
    'lead: %d is not delivered and not retried',
    async (status) => {
      const outcome = await sendTo(answer(status, { location: 'http://127.0.0.1:1/' }))
      expect(outcome).toEqual({ delivered: false, retryable: false, status, reason: 'status' })
    },
  )

  it('lead: 101 is not delivered and not retried', async () => {
    const server = createServer((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const outcome = await sendEvent({ url: `http://127.0.0.1:${port}`, event: makeEvent(), timeoutMs: 5000 })
    server.close()
    expect(outcome).toEqual({ delivered: false, retryable: false, status: 101, reason: 'status' })
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

  it('keeps at most 1024 characters of an error', async () => {
    const outcome = await sendTo(answer(500, {}, 'ä'.repeat(100_000)))
    expect(outcome).toMatchObject({ status: 500, body: 'ä'.repeat(1024) })
  })
})

describe('sendEvent, no response', () => {
  it('lead: a refused connection is worth a retry', async () => {
    const server = await startServer(answer(200))
    await server[Symbol.asyncDispose]()
    const outcome = await sendEvent({ url: server.url, event: makeEvent(), timeoutMs: 5000 })
    expect(outcome).toMatchObject({
      delivered: false,
      retryable: true,
      reason: 'unreachable',
      cause: { code: 'ECONNREFUSED' },
    })
  })

  it('a reset, and an answer broken off, are worth a retry', async () => {
    expect(await sendTo((req) => req.socket.resetAndDestroy())).toMatchObject({
      retryable: true,
      reason: 'unreachable',
    })
    const brokenOff: RequestListener = (req, res) => {
      res.writeHead(200, { ...replyHeaders, 'content-length': 10 }).write('half', () => req.socket.destroy())
    }
    expect(await sendTo(brokenOff)).toMatchObject({ retryable: true, reason: 'unreachable' })
  })

  it('silence is a timeout, before the answer and within it', async () => {
    expect(await sendTo(() => {}, { timeoutMs: 50 })).toEqual({ delivered: false, retryable: true, reason: 'timeout' })
    const stalling: RequestListener = (_req, res) => void res.writeHead(200, replyHeaders).write('half')
    expect(await sendTo(stalling, { timeoutMs: 50 })).toEqual({ delivered: false, retryable: true, reason: 'timeout' })
  })

  it('a refusal whose body stalls is still that refusal', async () => {
    const stalling: RequestListener = (_req, res) => void res.writeHead(400).write('half')
    expect(await sendTo(stalling, { timeoutMs: 100 })).toMatchObject({
      retryable: false,
      status: 400,
      reason: 'status',
    })
  })

  it('aborting rejects with the reason', async () => {
    const controller = new AbortController()
    const sending = sendTo(() => controller.abort(new Error('stop')), { signal: controller.signal })
    await expect(sending).rejects.toThrow('stop')
    await expect(sendTo(answer(200), { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped')
  })

  it('refuses what is not http', async () => {
    await expect(sendEvent({ url: 'ftp://x', event: makeEvent(), timeoutMs: 1 })).rejects.toThrow(TypeError)
  })
})
