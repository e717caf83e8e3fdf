import { createHealth } from '@taproom/health'
import { type Logger, listen } from '@taproom/service'
import { HTTP, CloudEvent as SdkEvent } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { logEvents } from '../src/logged-event.ts'

interface Line {
  readonly fields: Record<string, unknown>
  readonly message: string
}

async function startSink({ onLine }: { onLine?: (line: Line) => void } = {}) {
  const lines: Line[] = []
  const info = (fields: Record<string, unknown>, message: string) => {
    onLine?.({ fields, message })
    lines.push({ fields, message })
  }
  const log = { info, error: info } as unknown as Logger
  const sink = 'eventingaloha'
  const app = createApp({
    sink,
    on: { '*': logEvents(sink, log) },
    health: createHealth(),
    healthRoutes: { rootPath: '/q/health' },
    log,
  })
  const server = await listen(app, { host: '127.0.0.1', port: 0 })
  return { url: server.url, lines, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const headers = {
  'Ce-Id': '1',
  'Ce-Source': '/curl',
  'Ce-Type': 'aloha',
  'Ce-Specversion': '1.0',
  'Ce-Ext': 'x%20y',
  'Content-Type': 'application/json',
}
const event = {
  specversion: '1.0',
  id: '1',
  source: '/curl',
  type: 'aloha',
  datacontenttype: 'application/json',
  ext: 'x y',
  data: { msg: 'Aloha' },
}

describe('a sink', () => {
  it('decisions 1.53: answers an event with 200 and an empty body, and logs it in exactly one line', async () => {
    await using sink = await startSink()
    const response = await fetch(sink.url, { method: 'POST', headers, body: '{"msg":"Aloha"}' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
    expect(sink.lines).toEqual([{ fields: { sink: 'eventingaloha', event }, message: 'event received' }])
  })

  it('takes an event of the cloudevents SDK in structured mode', async () => {
    await using sink = await startSink()
    const message = HTTP.structured(new SdkEvent({ ...event, time: '2020-01-01T00:00:00.000Z' }))
    const response = await fetch(sink.url, {
      method: 'POST',
      headers: message.headers as Record<string, string>,
      body: String(message.body),
    })
    expect(response.status).toBe(200)
    expect(sink.lines[0]?.fields['event']).toEqual({ ...event, time: '2020-01-01T00:00:00.000Z' })
  })

  it('decisions 1.53: refuses what is no CloudEvent with 400 problem+json', async () => {
    await using sink = await startSink()
    const { 'Ce-Type': _, ...incomplete } = headers
    const response = await fetch(sink.url, { method: 'POST', headers: incomplete, body: '{}' })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ code: 'EVENT_MISSING_ATTRIBUTE', attribute: 'type' })
    expect(sink.lines).toEqual([
      {
        fields: { sink: 'eventingaloha', code: 'EVENT_MISSING_ATTRIBUTE', attribute: 'type' },
        message: 'event refused',
      },
    ])
  })

  it('decisions 1.64, 2.20: the body of application/json must be a JSON object', async () => {
    await using sink = await startSink()
    const response = await fetch(sink.url, { method: 'POST', headers, body: '[1]' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ attribute: 'data' })
  })

  it('decisions 1.71: an event beyond 1 MiB is 413', async () => {
    await using sink = await startSink()
    const response = await fetch(sink.url, { method: 'POST', headers, body: `{"a":"${'x'.repeat(1_048_576)}"}` })
    expect(response.status).toBe(413)
  })

  it('decisions 1.74: a wrong method is 405 with Allow, an unknown path 404', async () => {
    await using sink = await startSink()
    const get = await fetch(sink.url)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await fetch(`${sink.url}/other`, { method: 'POST', headers, body: '{}' })).status).toBe(404)
  })

  it('reports its health', async () => {
    await using sink = await startSink()
    const alive = { status: 'UP', checks: [{ name: "I'm alive", status: 'UP' }] }
    expect(await (await fetch(`${sink.url}/q/health`)).json()).toEqual(alive)
    expect((await fetch(`${sink.url}/q/health/ready`)).status).toBe(200)
  })

  it('answers 500 problem+json for an event that it can not log, and takes the next one', async () => {
    let isFull = true
    await using sink = await startSink({
      onLine: ({ message }) => {
        if (message === 'event received' && isFull) throw new Error('no space left')
      },
    })
    const post = () => fetch(sink.url, { method: 'POST', headers, body: '{"msg":"Aloha"}' })
    const refused = await post()
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      500,
      expect.stringMatching(/^application\/problem\+json/),
    ])
    expect(sink.lines).toMatchObject([
      { message: 'request failed', fields: { err: { message: 'no space left' }, path: '/' } },
    ])
    isFull = false
    expect((await post()).status).toBe(200)
  })

  it('takes an event whose address has a query string', async () => {
    await using sink = await startSink()
    const response = await fetch(`${sink.url}/?from=broker`, { method: 'POST', headers, body: '{"msg":"Aloha"}' })
    expect([response.status, sink.lines.length]).toEqual([200, 1])
  })

  it('counts events and other requests once each, by route', async () => {
    await using sink = await startSink()
    for (const path of ['/', '/?a=b']) await fetch(sink.url + path, { method: 'POST', headers, body: '{}' })
    await fetch(`${sink.url}/q/health/live`)
    const metrics = await (await fetch(`${sink.url}/q/metrics`)).text()
    const counts = metrics.match(/^http_server_requests_seconds_count.*$/gm)
    expect(counts).toEqual([
      'http_server_requests_seconds_count{method="POST",uri="/",status="200",outcome="SUCCESS"} 2',
      'http_server_requests_seconds_count{method="GET",uri="/q/health/live",status="200",outcome="SUCCESS"} 1',
    ])
  })
})
