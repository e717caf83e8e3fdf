import { randomUUID } from 'node:crypto'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { call, logLines, target, waitForLogLines } from './target.ts'

const BROKER = '/brokers/default/default'

function post(path: string, headers: Record<string, string | undefined> = {}, body = '{"message":"hello"}') {
  const all: Record<string, string | undefined> = {
    'Ce-Id': randomUUID(),
    'Ce-Specversion': '1.0',
    'Ce-Type': 'greeting',
    'Ce-Source': 'contract',
    'Content-Type': 'application/json',
    ...headers,
  }
  const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return call(path, { method: 'POST', headers: present, body })
}

describe('contract 4.6: events at the broker', () => {
  it('decisions 1.51, 2.17: an event is accepted with 202 and an empty body', async () => {
    const response = await post(BROKER, { 'Ce-Type': 'nobody-listens' })
    expect(response.status).toBe(202)
    expect(await response.text()).toBe('')
  })

  it('decisions 1.62: structured mode is accepted', async () => {
    const event = { specversion: '1.0', id: randomUUID(), type: 'nobody-listens', source: 'contract', data: { a: 1 } }
    const response = await call(BROKER, {
      method: 'POST',
      headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
      body: JSON.stringify(event),
    })
    expect(response.status).toBe(202)
  })

  it.each([
    ['id', { 'Ce-Id': undefined }],
    ['type', { 'Ce-Type': undefined }],
    ['source', { 'Ce-Source': undefined }],
    ['specversion', { 'Ce-Specversion': undefined }],
    ['specversion', { 'Ce-Specversion': '0.3' }],
    ['time', { 'Ce-Time': 'yesterday' }],
  ])('decisions 1.52: a bad %s is 400 problem+json naming it', async (attribute, headers) => {
    const response = await post(BROKER, headers)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(JSON.stringify(await response.json())).toContain(attribute)
  })

  it.each(['{', '[1]', '"text"'])('decisions 1.64: application/json that is not an object is 400: %s', async (body) => {
    expect((await post(BROKER, {}, body)).status).toBe(400)
  })

  it('decisions 1.64: any other content type is accepted', async () => {
    const response = await post(BROKER, { 'Content-Type': 'text/xml', 'Ce-Type': 'nobody-listens' }, '<a/>')
    expect(response.status).toBe(202)
  })

  it('decisions 1.65: an unknown broker is 404', async () => {
    expect((await post('/brokers/default/nowhere')).status).toBe(404)
  })

  it('decisions 1.71: an event over 1 MiB is 413', async () => {
    const response = await post(BROKER, {}, JSON.stringify({ text: 'x'.repeat(1_100_000) }))
    expect(response.status).toBe(413)
  })

  it('any method but POST and OPTIONS is 405 with Allow', async () => {
    const get = await call(BROKER)
    expect(get.status).toBe(405)
    expect(get.headers.get('allow')).toBe('POST, OPTIONS')
    expect((await call(BROKER, { method: 'OPTIONS' })).status).toBe(200)
  })
})

describe('contract 4.6: events straight to a sink', () => {
  it('decisions 1.53: the answer is 200 and empty', async () => {
    const response = await post('/sinks/eventingaloha', { 'Ce-Type': 'aloha' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })

  it('decisions 1.53: what is not an event is 400', async () => {
    expect((await post('/sinks/eventingaloha', { 'Ce-Id': undefined })).status).toBe(400)
  })

  it('an unknown sink is 404', async () => {
    expect((await post('/sinks/nowhere')).status).toBe(404)
  })
})

/** The sinks of the contract; there may be more. */
const BOTH = ['aloha-sink', 'bonjour-sink']

/** What both say of an event, once both have it. */
function linesOfBoth(id: string) {
  return waitFor('both sinks have the event', async () => {
    const lines = (await logLines(id)).filter(({ service }) => BOTH.includes(String(service)))
    return new Set(lines.map(({ service }) => service)).size === BOTH.length && lines
  })
}

describe('contract 6.1: who receives what, by the log of the system', {
  tags: 'system-log',
  skip: target.log === undefined,
}, () => {
  it('a greeting posted to the broker reaches both sinks, each once', async () => {
    const id = randomUUID()
    expect((await post(BROKER, { 'Ce-Id': id })).status).toBe(202)
    const lines = await linesOfBoth(id)
    expect(lines.map(({ service }) => service).sort()).toEqual(BOTH)
    for (const line of lines) expect(JSON.stringify(line)).toContain('"message":"hello"')
  })

  it.each([
    ['aloha', 'eventingaloha', 'aloha-sink'],
    ['bonjour', 'eventingbonjour', 'bonjour-sink'],
  ])('an %s posted to the sink %s reaches that sink only', async (type, sink, service) => {
    const id = randomUUID()
    expect((await post(`/sinks/${sink}`, { 'Ce-Id': id, 'Ce-Type': type })).status).toBe(200)
    await waitForLogLines(id, 1)
    // A greeting sent afterwards has reached both sinks, so anything that was under way to the other one has arrived.
    const greeting = randomUUID()
    await post(BROKER, { 'Ce-Id': greeting })
    await linesOfBoth(greeting)
    expect((await logLines(id)).map((line) => line['service'])).toEqual([service])
  })

  it('an event that no trigger matches reaches nobody', async () => {
    const id = randomUUID()
    await post(BROKER, { 'Ce-Id': id, 'Ce-Type': 'aloha' })
    const greeting = randomUUID()
    await post(BROKER, { 'Ce-Id': greeting })
    await linesOfBoth(greeting)
    expect(await logLines(id)).toEqual([])
  })
})

describe('contract 3.2: a sink and its idle time, by the log of the system', {
  tags: 'system-log',
  skip: target.log === undefined,
}, () => {
  /** Of its last instance: the events above may have started more than one. */
  const stops = async () =>
    (await logLines('eventingaloha-v1')).filter(
      ({ msg, instances }) => msg === 'sink instance stopped' && instances === 0,
    )

  it('is stopped when it has been idle for that long, and started again by an event', async () => {
    const first = randomUUID()
    await post('/sinks/eventingaloha', { 'Ce-Id': first })
    const [received] = await waitForLogLines(first, 1)
    const before = (await stops()).length
    const [stopped] = await waitFor(
      'the idle sink to be stopped',
      async () => {
        const lines = await stops()
        return lines.length > before && lines.slice(-1)
      },
      // A system of others works where no progress is seen.
      { ...(target.isOwn !== true && { timeoutMs: target.sinkIdleMs * 2 + 30_000 }), intervalMs: 200 },
    )
    const idleMs = Date.parse(String(stopped?.['time'])) - Date.parse(String(received?.['time']))
    expect(idleMs).toBeGreaterThan(target.sinkIdleMs * 0.9)

    const second = randomUUID()
    expect((await post('/sinks/eventingaloha', { 'Ce-Id': second })).status).toBe(200)
    await waitForLogLines(second, 1)
  })
})
