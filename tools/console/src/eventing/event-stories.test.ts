import { describe, expect, it } from 'vitest'
import type { Attributes, SpanView } from '../api/traces.ts'
import { TraceStore } from '../traces/trace-store.ts'
import { storiesOf } from './event-stories.ts'

const TRACE = 'a'.repeat(32)
const TOPIC = { 'messaging.destination.name': 'knative-broker.shop.main' }
const EVENT = {
  'cloudevents.event_id': '1',
  'cloudevents.event_source': '/till',
  'cloudevents.event_type': 'sold',
}
const idOf = (name: string) => Buffer.from(name.padEnd(8, '.').slice(0, 8)).toString('hex')

interface Given extends Partial<Omit<SpanView, 'attributes'>> {
  readonly attributes?: Attributes
  /** The id of its parent, as it was given. */
  readonly of?: string
}

function span(id: string, { of, ...given }: Given): SpanView {
  return {
    ...{ traceId: TRACE, spanId: idOf(id), name: id, kind: 'internal', service: 'event-platform' },
    ...{
      startedAt: 1000,
      durationMs: 5,
      status: 'unset',
      attributes: {},
      resource: {},
      scope: '',
      events: [],
      links: [],
    },
    ...(of !== undefined && { parentSpanId: idOf(of) }),
    ...given,
  }
}

function storiesIn(...spans: SpanView[]) {
  const store = new TraceStore()
  expect(store.add(spans)).toBeUndefined()
  const trace = store.get(TRACE)
  return trace === undefined ? [] : storiesOf(trace)
}

const request = span('request', { kind: 'server', attributes: EVENT })
const accepted = span('accepted', { of: 'request', kind: 'producer', attributes: TOPIC, startedAt: 1001 })

describe('storiesOf', () => {
  it('tells of an event that no trigger has read yet, by its request', () => {
    expect(storiesIn(request, accepted)).toEqual([
      {
        key: `${TRACE}/${idOf('accepted')}`,
        ...{
          traceId: TRACE,
          id: '1',
          source: '/till',
          type: 'sold',
          broker: 'shop/main',
          acceptedAt: 1001,
          triggers: [],
        },
      },
    ])
  })

  it('tells of an event that the broker could not take', () => {
    const failed = { ...accepted, status: 'error', statusMessage: 'Kafka is not reachable' } as const
    expect(storiesIn(request, failed)).toMatchObject([{ id: '1', refused: 'Kafka is not reachable' }])
  })

  it('tells of attempts while they go on, in their order', () => {
    const process = span('process', {
      ...{ of: 'accepted', kind: 'consumer' },
      attributes: { ...TOPIC, ...EVENT, trigger: 'shop/books', 'filter.result': 'matched' },
    })
    const attempt = (id: string, startedAt: number, status: number) => [
      span(id, { of: 'process', name: 'deliver', startedAt, status: 'error', statusMessage: 'refused' }),
      span(`${id}-http`, { of: id, kind: 'client', attributes: { 'http.response.status_code': status } }),
    ]
    const [story] = storiesIn(request, accepted, process, ...attempt('two', 1200, 503), ...attempt('one', 1100, 500))
    expect(story?.triggers).toEqual([
      {
        ...{ trigger: 'shop/books', filter: 'matched', hasReply: false, isDeadLettered: false },
        attempts: [
          { startedAt: 1100, durationMs: 5, destination: '', isDeadLetter: false, status: 500, error: 'refused' },
          { startedAt: 1200, durationMs: 5, destination: '', isDeadLetter: false, status: 503, error: 'refused' },
        ],
      },
    ])
  })

  it('tells of a reply as a story of its own, in the same trace', () => {
    const attributes = { ...TOPIC, ...EVENT, trigger: 'shop/books', 'filter.result': 'matched' }
    const [reply, first] = storiesIn(
      ...[request, accepted, span('process', { of: 'accepted', kind: 'consumer', attributes })],
      span('deliver', { of: 'process', name: 'deliver' }),
      span('reply', { of: 'deliver', kind: 'producer', attributes: TOPIC, startedAt: 2000 }),
      span('second', {
        ...{ of: 'reply', kind: 'consumer' },
        attributes: { ...attributes, 'cloudevents.event_id': '2', 'filter.result': 'not-matched' },
      }),
    )
    expect(first).toMatchObject({ id: '1', triggers: [{ hasReply: true }] })
    expect(reply).toMatchObject({ id: '2', acceptedAt: 2000, triggers: [{ filter: 'not-matched', attempts: [] }] })
  })

  it('has nothing to tell of other topics, or of what is no text', () => {
    const beer = { 'messaging.destination.name': 'beer' }
    expect(storiesIn(span('send', { kind: 'producer', attributes: beer }))).toEqual([])
    const odd = { ...TOPIC, 'cloudevents.event_id': { a: 1 }, trigger: ['x'], 'messaging.kafka.offset': 'x' }
    const [story] = storiesIn(span('process', { kind: 'consumer', attributes: odd }))
    expect(story).toMatchObject({ id: '', broker: 'shop/main', triggers: [{ trigger: '', filter: '', attempts: [] }] })
    expect(story).not.toHaveProperty('record')
  })
})
