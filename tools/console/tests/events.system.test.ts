import { randomUUID } from 'node:crypto'
import { freePort, readSse, waitFor } from '@taproom/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Eventing, EventStory } from '../src/api/eventing.ts'
import { driven } from './fixtures/driven.ts'
import { sharedSystem } from './fixtures/shared-system.ts'

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
describe('events', () => {
  it('have brokers, triggers and sinks, live', async () => {
    const stop = new AbortController()
    const states = readSse(`${system.console.url}/api/eventing`, {
      headers: { authorization: system.console.authorization },
      signal: stop.signal,
    })
    const first: Eventing = JSON.parse((await states.next()).value?.data ?? '')
    expect(first.brokers).toEqual([{ namespace: 'default', name: 'default', ready: 'True' }])
    expect(first.sinks.map(({ name }) => name)).toEqual(expect.arrayContaining(['eventingaloha', 'eventingbonjour']))
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
    const subject = '100% ö'
    const { body } = await send({ id: 'doomed-1', type: 'doomed', source: '/test', importance: 'high', subject })
    const told = await story(body.traceId, `default/${name}`)
    const trigger = told.triggers.find((each) => each.trigger === `default/${name}`)
    expect(trigger).toMatchObject({ end: 'dead-lettered', isDeadLettered: true })
    expect(trigger?.attempts.map(({ isDeadLetter }) => isDeadLetter)).toEqual([false, false, true])
    expect(trigger?.attempts[0]?.error).toBeTruthy()
    const again = await system.post('/api/events/again', { ...told.record })
    expect(again).toMatchObject({ status: 200, body: { answer: { status: 202 } } })
    const headers = Object.fromEntries(again.body.request.headers)
    expect(headers).toMatchObject({ 'ce-id': 'doomed-1', 'ce-importance': 'high', 'ce-subject': '100%25%20%C3%B6' })
    expect(Object.keys(headers).filter((header) => header.startsWith('ce-knative'))).toEqual([])
    expect(await story(again.body.traceId, `default/${name}`)).toMatchObject({ id: 'doomed-1' })
  })

  it('that are invalid are refused by the console or by the broker', async () => {
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
