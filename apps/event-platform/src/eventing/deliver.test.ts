import { DEFAULT_DELIVERY_POLICY, type DeliveryPolicy, type SendOutcome } from '@taproom/events'
import { HttpClientError } from '@taproom/http'
import type { CloudEventV1 } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import type { ResolvedDestination } from '../resources/addresses.ts'
import { type DeliveryRoute, deliver } from './deliver.ts'
import { EventRefusedError } from './errors.ts'
import type { DeliveryAttempt } from './sender.ts'

const policy: DeliveryPolicy = { ...DEFAULT_DELIVERY_POLICY, retry: 3, backoffDelayMs: 1 }
const event: CloudEventV1<Buffer> = {
  specversion: '1.0',
  id: '1',
  source: '/test',
  type: 'greeting',
  knativebrokerttl: '254',
  knativearrivaltime: '2026-01-01T00:00:00.000Z',
  data: Buffer.from('{}'),
}
const at = (uri: string): ResolvedDestination => ({ uri, kind: 'url', url: new URL(uri) })
const subscriber = at('http://subscriber/')
const deadLetterSink = at('http://letters/')
const delivered: SendOutcome = { delivered: true, status: 202 }
const failed = (status: number): SendOutcome => ({
  delivered: false,
  retryable: status >= 500,
  status,
  reason: 'status',
})

const TRACE = '0af7651916cd43dd8448eb211c80319c'

function makeDelivery(
  outcomes: readonly SendOutcome[],
  route: Partial<DeliveryRoute> = {},
  more: Readonly<Record<string, string>> = {},
) {
  const sent: DeliveryAttempt[] = []
  const replies: CloudEventV1<Buffer>[] = []
  const replyHeaders: DeliveryAttempt['headers'][] = []
  const send = async (attempt: DeliveryAttempt) => {
    sent.push(attempt)
    return outcomes[Math.min(sent.length, outcomes.length) - 1] ?? delivered
  }
  const reply: DeliveryRoute['reply'] = async (replied, headers) => {
    replies.push(replied)
    replyHeaders.push(headers)
  }
  const result = deliver({
    event,
    headers: {
      'x-request-id': 'r1',
      'kn-namespace': 'default',
      traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
      ...more,
    },
    route: { subscriber, policy, reply, ...route },
    send,
    signal: new AbortController().signal,
  })
  return { sent, replies, replyHeaders, result }
}

describe('deliver', () => {
  it('sends the event without its loop guard, with the headers that travel along', async () => {
    const { sent, result } = makeDelivery([delivered])
    expect(await result).toEqual({ end: 'delivered', attempts: 1, replied: false })
    const { knativebrokerttl: _, ...withoutTtl } = event
    expect(sent[0]?.event).toEqual(withoutTtl)
    expect(sent[0]?.headers).toMatchObject({ 'x-request-id': 'r1', 'kn-namespace': 'default' })
  })

  it('decisions 1.55: tries again as often as the policy says', async () => {
    const { sent, result } = makeDelivery([failed(503)])
    expect(await result).toMatchObject({ end: 'dropped', attempts: 4, failure: { status: 503 } })
    expect(sent).toHaveLength(4)
  })

  it('decisions 1.55: tries ten more times without settings of its own', async () => {
    const { result } = makeDelivery([failed(503)], { policy: { ...DEFAULT_DELIVERY_POLICY, backoffDelayMs: 1 } })
    expect(await result).toMatchObject({ end: 'dropped', attempts: 11 })
  })

  it('rejects when it is aborted, whatever the attempt under way comes to', async () => {
    const controller = new AbortController()
    const send = async () => {
      controller.abort(new Error('closing'))
      return delivered
    }
    const route = { subscriber, policy, reply: async () => undefined }
    const result = deliver({ event, headers: {}, route, send, signal: controller.signal })
    await expect(result).rejects.toThrow('closing')
  })

  it('tries again when an attempt ends with a defect: the event is not lost by it', async () => {
    let attempts = 0
    const result = deliver({
      event,
      headers: {},
      route: { subscriber, policy, reply: async () => {} },
      send: async () => {
        attempts += 1
        if (attempts === 1) throw new SyntaxError('a defect')
        return delivered
      },
      signal: new AbortController().signal,
    })
    expect(await result).toEqual({ end: 'delivered', attempts: 2, replied: false })
  })

  it('does not try again what is not worth it', async () => {
    const { sent, result } = makeDelivery([failed(400)])
    expect(await result).toMatchObject({ end: 'dropped', attempts: 1 })
    expect(sent).toHaveLength(1)
  })

  it('ends at the first success', async () => {
    const { result } = makeDelivery([failed(500), failed(500), delivered])
    expect(await result).toMatchObject({ end: 'delivered', attempts: 3 })
  })

  it('sends what cannot be delivered to the dead letter sink, saying why', async () => {
    const refusal: SendOutcome = { ...failed(400), body: Buffer.from(`no\n${'x'.repeat(2000)}`) } as SendOutcome
    const { sent, result } = makeDelivery([refusal, delivered], { deadLetterSink })
    expect(await result).toMatchObject({ end: 'dead-lettered', attempts: 1 })
    expect(sent.map(({ destination, prefersReply }) => [destination, prefersReply])).toEqual([
      [subscriber, true],
      [deadLetterSink, false],
    ])
    const { knativeerrordata, ...others } = sent[1]?.event ?? event
    expect(others).toEqual({
      ...event,
      knativeerrordest: 'http://subscriber/',
      knativeerrorcode: '400',
    })
    expect(Buffer.from(String(knativeerrordata), 'base64').toString()).toBe(`no\n${'x'.repeat(1021)}`)
  })

  it('decisions 1.78: a dead letter without an answer has code 500 and the reason', async () => {
    const cause = new Error('connect ECONNREFUSED')
    const silent: SendOutcome = { delivered: false, retryable: false, reason: 'unreachable', cause }
    const { sent, result } = makeDelivery([silent, delivered], { deadLetterSink })
    await result
    const { knativeerrorcode, knativeerrordata } = sent[1]?.event ?? event
    expect(knativeerrorcode).toBe('500')
    expect(Buffer.from(String(knativeerrordata), 'base64').toString()).toBe('unreachable: connect ECONNREFUSED')
  })

  it('keeps the loop guard on the way to another broker, which would restart it', async () => {
    const { sent, result } = makeDelivery([delivered], {
      subscriber: { uri: 'http://b-broker.default', kind: 'broker', namespace: 'default', name: 'b' },
    })
    await result
    expect(sent[0]?.event).toEqual(event)
  })

  it('does not try again what no request can carry: the trigger goes on at once', async () => {
    let attempts = 0
    const result = deliver({
      event,
      headers: {},
      route: { subscriber, policy, reply: async () => {} },
      send: async () => {
        attempts += 1
        throw new HttpClientError('HTTP_REQUEST_INVALID', 'the header cannot be sent')
      },
      signal: new AbortController().signal,
    })
    expect(await result).toMatchObject({ end: 'dropped', attempts: 1, failure: { reason: 'unsendable' } })
    expect(attempts).toBe(1)
  })

  it('decisions 1.59: drops what neither subscriber nor dead letter sink take', async () => {
    const { result } = makeDelivery([failed(400)], { deadLetterSink })
    expect(await result).toMatchObject({ end: 'dropped' })
  })

  it('decisions 1.60: sends a reply back with what is left of the loop guard', async () => {
    const reply: CloudEventV1<Buffer> = { specversion: '1.0', id: '2', source: '/s', type: 'answer' }
    const { replies, result } = makeDelivery([{ delivered: true, status: 200, reply }])
    expect(await result).toMatchObject({ end: 'delivered', replied: true })
    expect(replies).toEqual([{ ...reply, knativebrokerttl: '254' }])
  })

  it('decisions 3.17: gives each attempt a span of its own in the same trace, and its reply the one that brought it', async () => {
    const reply: CloudEventV1<Buffer> = { specversion: '1.0', id: '2', source: '/s', type: 'answer' }
    const { sent, replyHeaders, result } = makeDelivery([failed(503), { delivered: true, status: 200, reply }])
    await result
    const spans = sent.map(({ headers }) => headers['traceparent'])
    expect(spans).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(new RegExp(`^00-${TRACE}-\\w{16}-01$`))),
    )
    expect(new Set([...spans, `00-${TRACE}-b7ad6b7169203331-01`]).size).toBe(3)
    expect(replyHeaders).toEqual([{ 'x-request-id': 'r1', traceparent: spans[1] }])
  })

  it("decisions 1.81: a reply's own headers win over those of the request", async () => {
    const reply: CloudEventV1<Buffer> = { specversion: '1.0', id: '2', source: '/s', type: 'answer' }
    const own = {
      'x-request-id': 'mine',
      baggage: 'a=1',
      traceparent: `00-${TRACE}-b7ad6b7169203331-00`,
      'set-cookie': 'no',
    }
    const { replyHeaders, result } = makeDelivery([{ delivered: true, status: 200, reply, headers: own }])
    await result
    const { 'set-cookie': _cookie, ...travelling } = own
    expect(replyHeaders).toEqual([travelling])
  })

  it('leaves the headers of the request behind when they do not fit beside the reply', async () => {
    const reply: CloudEventV1<Buffer> = { specversion: '1.0', id: '2', source: '/s', type: 'answer' }
    const own = { b3: '0', baggage: `a=${'x'.repeat(4000)}` }
    const outcome: SendOutcome = { delivered: true, status: 200, reply, headers: own }
    const { replyHeaders, result } = makeDelivery([outcome], {}, { 'knative-long': 'x'.repeat(5000) })
    expect(await result).toMatchObject({ end: 'delivered', replied: true })
    expect(replyHeaders).toEqual([own])
  })

  it('delivers again when the broker cannot take the reply, but not when the reply has gone round too often', async () => {
    const outcome: SendOutcome = { delivered: true, status: 200, reply: event }
    let calls = 0
    const once = async () => {
      calls += 1
      if (calls === 1) throw new EventRefusedError('BROKER_NOT_READY', 'Kafka is away')
    }
    const again = makeDelivery([outcome], { reply: once })
    expect(await again.result).toMatchObject({ end: 'delivered', attempts: 2 })
    const looped = makeDelivery([outcome], {
      reply: async () => {
        throw new EventRefusedError('EVENT_TTL_EXPIRED', 'too often')
      },
    })
    expect(await looped.result).toMatchObject({ end: 'delivered', attempts: 1 })
  })
})
