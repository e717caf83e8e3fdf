import { once } from 'node:events'
import { connect } from 'node:net'
import { startHttpServer } from '@taproom/testkit'
import type { CloudEventV1 } from 'cloudevents'
import express, { type ErrorRequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { type EventError, type EventHandler, receiveEvents } from '../src/index.ts'
import { makeEvent } from './make-event.ts'
import { body, headers, start } from './receiving.ts'

describe('receiveEvents', () => {
  it('decisions 1.53: an event is handed over and answered 200 with an empty body', async () => {
    const events: CloudEventV1<Buffer>[] = []
    await using server = await start((event) => {
      events.push(event)
    })
    const response = await fetch(server.url, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('0')
    expect(await response.text()).toBe('')
    expect(events).toEqual([
      {
        specversion: '1.0',
        id: '1',
        source: '/curl',
        type: 'aloha',
        datacontenttype: 'application/json',
        data: Buffer.from(body),
      },
    ])
  })

  it('decisions 1.62: takes structured mode', async () => {
    const events: CloudEventV1<Buffer>[] = []
    await using server = await start((event) => {
      events.push(event)
    })
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/cloudevents+json; charset=UTF-8' },
      body: JSON.stringify({ specversion: '1.0', id: '1', source: '/curl', type: 'aloha', data: { msg: 'Aloha' } }),
    })
    expect(response.status).toBe(200)
    expect(events[0]?.data?.toString()).toBe(body)
  })

  it('decisions 1.53: what is no CloudEvent is 400 problem+json naming the attribute', async () => {
    const refused: EventError[] = []
    await using server = await start(() => {}, { onRefused: (error) => refused.push(error) })
    const { 'ce-source': _, ...incomplete } = headers
    const response = await fetch(server.url, { method: 'POST', headers: incomplete, body })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'source is required',
      code: 'EVENT_MISSING_ATTRIBUTE',
      attribute: 'source',
    })
    expect(refused.map(({ code }) => code)).toEqual(['EVENT_MISSING_ATTRIBUTE'])
  })

  it.each([
    ['', []],
    [', also behind what adds a header', ['x-added']],
    [', also behind what adds an attribute', ['ce-added']],
  ])('refuses repeated headers, which Node joins%s', async (_case, added) => {
    const adding = express().use((req, _res, next) => {
      for (const name of added) req.headers[name] = 'yes'
      next()
    })
    await using server = await startHttpServer(adding.use(receiveEvents(() => {})))
    for (const line of ['CE-ID: 2', 'Content-Type: text/plain']) {
      const socket = connect(server.port, '127.0.0.1')
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      socket.end(
        `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('\r\n')}\r\n${line}\r\nContent-Length: 2\r\n\r\n{}`,
      )
      const chunks = await socket.setEncoding('utf8').toArray()
      expect(chunks.join('')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"EVENT_REPEATED_ATTRIBUTE"/)
    }
  })

  it('refuses a Content-Encoding', async () => {
    await using server = await start(() => {})
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { ...headers, 'content-encoding': 'gzip' },
      body,
    })
    expect(await response.json()).toMatchObject({ status: 400, code: 'EVENT_INVALID_DATA', attribute: 'data' })
  })

  it('takes a body that comes byte by byte', async () => {
    const events: CloudEventV1<Buffer>[] = []
    await using server = await start((event) => {
      events.push(event)
    })
    const text = 'Aloha, beer'.repeat(50)
    const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
    const lines = Object.entries({ ...headers, 'content-type': 'text/plain' }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    socket.write([...text].map((byte) => `1\r\n${byte}\r\n`).join(''))
    socket.write('0\r\n\r\n')
    expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
    expect(events[0]?.data?.toString()).toBe(text)
  })

  it('decisions 1.82: a reply that needs more than 16 KiB of headers is in structured mode', async () => {
    const reply = makeEvent({ ext: 'x'.repeat(20_000) })
    await using server = await start(() => reply)
    const response = await fetch(server.url, { method: 'POST', headers, body })
    expect(response.headers.get('content-type')).toBe('application/cloudevents+json; charset=utf-8')
    expect(await response.json()).toMatchObject({ id: '1', ext: reply['ext'] })
  })

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('decisions 1.74: %s is 405 with Allow', async (method) => {
    await using server = await start(() => {})
    const response = await fetch(server.url, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(await response.json()).toMatchObject({ status: 405 })
  })

  it('leaves other paths to the app', async () => {
    await using server = await start(() => {})
    expect((await fetch(`${server.url}/other`, { method: 'POST', headers, body })).status).toBe(404)
  })

  it('decisions 1.60: a returned event is the reply, in binary mode', async () => {
    await using server = await start((event) => makeEvent({ id: 'reply', subject: `re ${event.type}`, a: 'b' }))
    const response = await fetch(server.url, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
    expect(response.headers.get('ce-id')).toBe('reply')
    expect(response.headers.get('ce-subject')).toBe('re%20aloha')
    expect(response.headers.get('ce-a')).toBe('b')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe('{"msg":"Aloha"}')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('out of aloha')
      },
    ],
    ['rejects', () => Promise.reject(new Error('out of aloha'))],
  ] as [string, EventHandler][])("a handler that %s is the app's error: 500", async (_case, handler) => {
    await using server = await start(handler)
    const response = await fetch(server.url, { method: 'POST', headers, body })
    expect(response.status).toBe(500)
    expect(await response.text()).toBe('out of aloha')
  })

  it('reports a body parser that came first instead of hanging', async () => {
    const app = express()
      .use(express.json())
      .use(receiveEvents(() => {}))
    app.use(((error: Error, _req, res, _next) => res.status(500).send(error.message)) as ErrorRequestHandler)
    await using server = await startHttpServer(app)
    const response = await fetch(server.url, { method: 'POST', headers, body })
    expect(await response.text()).toContain('before any body parser')
  })

  it('survives a client that leaves before the end', async () => {
    const events: CloudEventV1<Buffer>[] = []
    await using server = await start((event) => {
      events.push(event)
    })
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhal')
    socket.resetAndDestroy()
    expect((await fetch(server.url, { method: 'POST', headers, body })).status).toBe(200)
    expect(events).toHaveLength(1)
  })
})
