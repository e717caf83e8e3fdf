import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { freePort, readSse, waitFor } from '@taproom/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Eventing, EventStory } from '../src/api/eventing.ts'
import type { OperationView } from '../src/api/requests.ts'
import { driven } from './fixtures/driven.ts'
import { sharedSystem } from './fixtures/shared-system.ts'
import { tried } from './fixtures/tried.ts'

const run = promisify(execFile)
let system: ReturnType<typeof driven>
beforeAll(async () => {
  system = driven(await sharedSystem())
})

const BROKER = 'default/default'

const makeTrigger = (name: string, spec: object) => system.make('Trigger', name, { broker: 'default', ...spec })
const send = (event: object, mode = 'binary') => system.post('/api/events', { broker: BROKER, mode, event })

/** The story of an event once a trigger is done with it. */
function story(traceId: string, trigger: string): Promise<EventStory> {
  return waitFor('the story', async () => {
    const { body } = await system.get('/api/events?limit=500')
    return (body.items as EventStory[]).find(
      (each) =>
        each.traceId === traceId &&
        each.triggers.some(
          (one) => one.trigger === trigger && one.filter !== '' && (one.end ?? one.filter) !== 'matched',
        ),
    )
  })
}

describe('requests', () => {
  it('have forms for every operation of the gateway', async () => {
    const items: OperationView[] = (await system.get('/api/operations')).body.items
    const operation = (path: string) => items.find((each) => each.path === path)
    expect(operation('/secure/claim')).toMatchObject({ method: 'GET', isProtected: true, streams: false })
    expect(operation('/beer')).toMatchObject({ isProtected: false, streams: true })
    expect(operation('/movie')?.parameters).toMatchObject([
      { name: 'year', in: 'query', isRequired: false, schema: { type: 'integer' } },
    ])
  })

  it('decisions 3.117: are made with a token of whoever is chosen, in a trace of their own, with a line that does the same', async () => {
    const token = { user: "o'duke", groups: ['Subscriber'] }
    const { head, text, end } = await tried(system.console, {
      method: 'GET',
      path: '/secure/claim',
      headers: {},
      token,
    })
    expect({ status: head.status, text, end }).toMatchObject({ status: 200, text: "o'duke", end: { bytes: 6 } })
    expect(end.tookMs).toBeGreaterThanOrEqual(head.tookMs)
    expect((await run('bash', ['--norc', '-c', head.curl])).stdout).toMatch(/^HTTP\/1\.1 200[\s\S]*o'duke$/)
    await waitFor('the spans of its services', async () => {
      const { status, body } = await system.get(`/api/traces/${head.traceId}`)
      const services = status === 200 ? body.items.map(({ service }: { service: string }) => service) : []
      return ['console', 'gateway', 'claim-api'].every((name) => services.includes(name))
    })
  })

  it('are refused as the service refuses them', async () => {
    const { head } = await tried(system.console, {
      method: 'GET',
      path: '/secure/claim',
      headers: { Accept: 'text/plain' },
    })
    expect(head.status).toBe(401)
    expect(head.headers.map(([name]) => name.toLowerCase())).toContain('www-authenticate')
  })

  it('stream as their answers come, and end when the caller is gone', async () => {
    const leave = new AbortController()
    const { head, text } = await tried(
      system.console,
      { method: 'GET', path: '/beer', headers: { Accept: 'text/event-stream' } },
      { signal: leave.signal, until: (seen) => (seen.match(/\ndata: \{/g) ?? []).length >= 3 },
    )
    expect(head).toMatchObject({ status: 200, curl: expect.stringContaining('curl -N ') })
    expect(text).toContain('"price"')
    leave.abort()
    // The console's own part of the trace is known when the request has ended.
    await waitFor('its end', async () => {
      const { status, body } = await system.get(`/api/traces/${head.traceId}`)
      return status === 200 && body.items.some(({ service }: { service: string }) => service === 'console')
    })
  })

  it.each([
    [{ path: 'http://example.org/' }, 'expected one from /'],
    [{ path: '/a b' }, 'unescaped characters'],
    [{ headers: { Host: 'example.org' } }, 'header Host is set by the console itself'],
    [{ headers: { 'a b': 'x' } }, 'Header name must be a valid HTTP token'],
    [{ headers: { a: 'x\ny' } }, 'Invalid character in header content'],
    [{ method: 'CONNECT' }, 'method is "CONNECT": expected one of GET'],
    [{ token: { user: 'duke', groups: 'all' } }, 'groups is "all": expected a list'],
  ])('of %j are 400', async (wrong, detail) => {
    const answer = await system.post('/api/requests', { method: 'GET', path: '/', headers: {}, ...wrong })
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } })
  })

  it('never leave the gateway, whatever their path says', async () => {
    const { head } = await tried(system.console, { method: 'GET', path: '//example.org/secure/claim', headers: {} })
    expect(head.status).toBe(404)
  })

  it('can be made elsewhere with a token', async () => {
    const { body } = await system.post('/api/tokens', { user: 'duke', groups: ['Subscriber'] })
    const answer = await fetch(`${system.gateway}/secure/claim`, { headers: { Authorization: `Bearer ${body.token}` } })
    expect(await answer.text()).toBe('duke')
  })
})

describe('events', () => {
  it('have brokers, triggers and sinks, live', async () => {
    const stop = new AbortController()
    const states = readSse(`${system.console.url}/api/eventing`, {
      headers: { authorization: system.console.authorization },
      signal: stop.signal,
    })
    const first: Eventing = JSON.parse((await states.next()).value?.data ?? '')
    expect(first.brokers).toEqual([{ namespace: 'default', name: 'default', ready: 'True' }])
    expect(first.sinks.map(({ name }) => name)).toEqual(['eventingaloha', 'eventingbonjour'])
    const name = `t-${randomUUID()}`
    await makeTrigger(name, {
      filter: { attributes: { type: 'never' } },
      subscriber: { uri: 'http://example.org/' },
    })
    for await (const { data } of states) {
      const found = (JSON.parse(data) as Eventing).triggers.find((each) => each.name === name)
      if (found?.ready !== 'True') continue
      expect(found).toMatchObject({ broker: 'default', filter: { attributes: { type: 'never' } } })
      expect(found.subscriber).toBe('http://example.org/')
      break
    }
    stop.abort()
  })

  it.each(['binary', 'structured'])('are sent in %s mode, and have a story', async (mode) => {
    const event = {
      id: randomUUID(),
      type: 'greeting',
      source: '/test',
      subject: 'ö',
      datacontenttype: 'application/json',
    }
    const { status, body } = await send({ ...event, data: { message: 'hi' } }, mode)
    expect({ status, answer: body.answer }).toMatchObject({ status: 200, answer: { status: 202, body: '' } })
    const headers = Object.fromEntries(body.request.headers)
    expect(headers).toMatchObject({ Host: new URL(system.gateway).host, Connection: 'close' })
    expect(headers['traceparent']).toContain(body.traceId)
    if (mode === 'binary') {
      expect(headers).toMatchObject({ 'ce-id': event.id, 'ce-subject': '%C3%B6', 'content-type': 'application/json' })
      expect(body.request.body).toBe('{"message":"hi"}')
    } else {
      expect(headers['content-type']).toContain('application/cloudevents+json')
      expect(JSON.parse(body.request.body)).toMatchObject({ specversion: '1.0', ...event, data: { message: 'hi' } })
    }
    const told = await story(body.traceId, 'default/aloha')
    expect(told).toMatchObject({ id: event.id, source: '/test', type: 'greeting', broker: BROKER })
    expect(told.triggers.find(({ trigger }) => trigger === 'default/aloha')).toMatchObject({
      filter: 'matched',
      end: 'delivered',
      attempts: [{ status: 200, destination: expect.stringContaining('eventingaloha'), isDeadLetter: false }],
    })
  })

  it('tell of filters that say no', async () => {
    const { body } = await send({ type: 'other', source: '/test' })
    const told = await story(body.traceId, 'default/aloha')
    const aloha = told.triggers.find(({ trigger }) => trigger === 'default/aloha')
    expect(aloha).toEqual({
      trigger: 'default/aloha',
      filter: 'not-matched',
      attempts: [],
      hasReply: false,
      isDeadLettered: false,
    })
  })

  it('that no trigger reads have a story, too', async () => {
    await system.make('Broker', 'lonely', {})
    const sent = { broker: 'default/lonely', mode: 'binary', event: { id: 'lonely-1', type: 'x', source: '/test' } }
    const { body } = await system.post('/api/events', sent)
    const [told] = await waitFor('the story', async () => {
      const { items } = (await system.get('/api/events?type=x')).body
      return items.length > 0 && items
    })
    expect(told).toMatchObject({
      traceId: body.traceId,
      id: 'lonely-1',
      source: '/test',
      broker: 'default/lonely',
      triggers: [],
    })
  })

  it('decisions 3.117: that became dead letters tell why, and can be sent again', async () => {
    const name = `dead-${randomUUID()}`
    await makeTrigger(name, {
      filter: { attributes: { type: 'doomed' } },
      subscriber: { uri: `http://127.0.0.1:${await freePort()}/` },
      delivery: {
        ...{ retry: 1, backoffPolicy: 'linear', backoffDelay: 'PT0.1S' },
        deadLetterSink: { ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'eventingaloha' } },
      },
    })
    const { body } = await send({ id: 'doomed-1', type: 'doomed', source: '/test', importance: 'high' })
    const told = await story(body.traceId, `default/${name}`)
    const trigger = told.triggers.find((each) => each.trigger === `default/${name}`)
    expect(trigger).toMatchObject({ end: 'dead-lettered', isDeadLettered: true })
    expect(trigger?.attempts.map(({ isDeadLetter }) => isDeadLetter)).toEqual([false, false, true])
    expect(trigger?.attempts[0]?.error).toBeTruthy()
    const again = await system.post('/api/events/again', { ...told.record })
    expect(again).toMatchObject({ status: 200, body: { answer: { status: 202 } } })
    const headers = Object.fromEntries(again.body.request.headers)
    expect(headers).toMatchObject({ 'ce-id': 'doomed-1', 'ce-importance': 'high' })
    expect(Object.keys(headers).filter((header) => header.startsWith('ce-knative'))).toEqual([])
    expect(await story(again.body.traceId, `default/${name}`)).toMatchObject({ id: 'doomed-1' })
  })

  it('that are none are told apart by the console, or by the broker', async () => {
    const binary = await send({ type: 'greeting', source: '' })
    expect(binary).toMatchObject({ status: 400, body: { attribute: 'source' } })
    const structured = await send({ type: 'greeting', source: '' }, 'structured')
    expect(structured).toMatchObject({
      status: 200,
      body: { answer: { status: 400, body: expect.stringContaining('source') } },
    })
    const place = { topic: 'knative-broker.default.default', partition: 0, offset: '999999' }
    expect(await system.post('/api/events/again', place)).toMatchObject({ status: 404 })
    expect(await system.post('/api/events/again', { ...place, topic: 'beer' })).toMatchObject({ status: 400 })
  })
})

describe('the commands of the README', () => {
  it('do what it says', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
    const { port } = new URL(system.console.url)
    const script = blocks
      .join('')
      .replaceAll('localhost:PORT', `127.0.0.1:${port}`)
      // Until something has come.
      .replaceAll(/^curl -N .*/gm, '$& | grep -m 1 ^data:')
    const env = { ...process.env, SECRET: system.console.authorization.replace('Bearer ', '') }
    const { stdout } = await run('bash', ['--norc', '-c', script], { env }).catch((error) => error)
    expect(stdout).toMatch(/^\{"items":\[\{"topic":"priced-beer"/)
    expect(stdout).toContain('data: {"items":[{"topic":"beer"')
    expect(stdout).toMatch(/"target":"embedded-kafka".*"mode":"away"/)
    expect(stdout).not.toContain('about:blank')
    await system.put('/api/faults/embedded-kafka', { mode: 'none' })
  })
})

describe('faults', () => {
  it('decisions 3.117: are those of what stands in for something real', async () => {
    const { body } = await system.get('/api/faults')
    expect(body.items.map(({ target, kind, mode }: Record<string, string>) => [target, kind, mode])).toEqual([
      ['embedded-kafka', 'kafka', 'none'],
      ['film-standin', 'stand-in', 'none'],
      ['beer-standin', 'stand-in', 'none'],
    ])
    const app = await system.put('/api/faults/movie-api', { mode: 'slow' })
    expect(app).toMatchObject({ status: 404, body: { detail: expect.stringContaining('film-standin') } })
    expect(await system.put('/api/faults/embedded-kafka', { mode: 'slow' })).toMatchObject({ status: 400 })
    expect(await system.put('/api/faults/film-standin', { mode: 'slow', seconds: 601 })).toMatchObject({ status: 400 })
  })

  it('of the film service are met by those who ask it', async () => {
    const before = Date.now()
    const set = await system.put('/api/faults/film-standin', { mode: 'failing', seconds: 600 })
    expect(set).toMatchObject({ status: 200, body: { target: 'film-standin', mode: 'failing' } })
    expect(set.body.until).toBeGreaterThan(before)
    const { head } = await tried(system.console, { method: 'GET', path: '/movie?year=1980', headers: {} })
    await waitFor('the answer of the film service', async () => {
      const { body } = await system.get(`/api/traces/${head.traceId}`)
      return body.items?.some(
        (span: { kind: string; service: string; attributes: Record<string, unknown> }) =>
          span.service === 'movie-api' &&
          span.kind === 'client' &&
          span.attributes['http.response.status_code'] === 503,
      )
    })
    expect((await system.put('/api/faults/film-standin', { mode: 'none' })).body).toMatchObject({ mode: 'none' })
  })

  it('take Kafka away, and bring it back', async () => {
    const away = await system.put('/api/faults/embedded-kafka', { mode: 'away', seconds: 600 })
    expect(away).toMatchObject({ status: 200, body: { mode: 'away', until: expect.any(Number) } })
    expect(await system.get('/api/kafka/topics')).toMatchObject({ status: 503 })
    expect(await system.put('/api/faults/embedded-kafka', { mode: 'none' })).toMatchObject({ body: { mode: 'none' } })
    await waitFor('topics', async () => (await system.get('/api/kafka/topics')).status === 200)
  })
})
