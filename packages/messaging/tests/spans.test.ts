import { setTimeout } from 'node:timers/promises'
import { tracing } from '@taproom/core/spans'
import { recordSpans, type SpanRecorder, startKafka, type TestKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKafka, openIncoming, openOutgoing, openTransform } from '../src/index.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

describe('the spans of messages', () => {
  let broker: TestKafka
  let spans: SpanRecorder
  beforeAll(async () => {
    broker = await startKafka()
    spans = await recordSpans()
  })
  afterAll(async () => {
    await spans[Symbol.asyncDispose]()
    await broker[Symbol.asyncDispose]()
  })

  it('decisions 3.85: are one trace from send over a transaction to process, and the transaction is linked with each', async () => {
    const kafka = createKafka({ clientId: 'spans', bootstrapServers: broker.bootstrapServers, log })
    const received: (string | undefined)[] = []
    {
      await using incoming = openIncoming(kafka, {
        channel: 'priced',
        topic: 'spans-out',
        onMessage: ({ headers }) => void received.push(headers['traceparent']),
      })
      await using transform = openTransform(kafka, {
        ...{ channel: 'price', inputTopic: 'spans-in', outputTopic: 'spans-out' },
        ...{ groupId: 'spans-price', transactionalId: 'spans-price' },
        transform: ({ value }) => [{ value, headers: { own: '1' } }],
      })
      await using outgoing = openOutgoing(kafka, { channel: 'spans-in', timeoutMs: 90_000 })
      await incoming.assigned
      await Promise.all(['a', 'b'].map((value) => outgoing.send({ value, headers: { own: '1' } })))
      await transform.assigned
      await waitFor('both messages', () => received.length >= 2)
    }
    await waitFor('no open span', () => spans.open().length === 0)
    const named = (name: string) => spans.ended.filter((span) => span.name === name)
    const sent = named('send spans-in')
    expect(sent).toHaveLength(2)
    for (const send of sent) {
      const { traceId, spanId } = send.spanContext()
      expect(send).toMatchObject({
        kind: 3,
        attributes: { 'messaging.system': 'kafka', 'messaging.operation.type': 'send' },
      })
      const childrenOf = (id: string | undefined, name: string) =>
        named(name).filter(({ parentSpanContext: parent }) => parent?.spanId === id)
      // A transaction that is done again has spans again: of the last one there is a result.
      const priced = childrenOf(spanId, 'process spans-in').at(-1)
      const [streamed] = childrenOf(priced?.spanContext().spanId, 'process spans-out')
      expect(priced).toMatchObject({ kind: 4 })
      expect(streamed?.spanContext().traceId).toBe(traceId)
      const batches = named('receive spans-in').filter(({ links }) =>
        links.some(({ context }) => context.traceId === traceId),
      )
      expect(batches.length).toBeGreaterThanOrEqual(1)
      expect(batches.map((batch) => batch.spanContext().spanId)).toContain(priced?.links[0]?.context.spanId)
      expect(batches[0]?.spanContext().traceId).not.toBe(traceId)
    }
  })

  it('tell of a transaction which messages it is made of, and go on in what is made later and is not sampled', async () => {
    const kafka = createKafka({ clientId: 'spans', bootstrapServers: broker.bootstrapServers, log })
    const trace = '1af7651916cd43dd8448eb211c80319c'
    const received: (string | undefined)[] = []
    {
      await using outgoing = openOutgoing(kafka, { channel: 'later-in', timeoutMs: 90_000 })
      for (const flags of ['01', '00', '00']) {
        await outgoing.send({ value: flags, headers: { traceparent: `00-${trace}-b7ad6b7169203331-${flags}` } })
      }
      await using transform = openTransform(kafka, {
        ...{ channel: 'later', inputTopic: 'later-in', outputTopic: 'later-out', commitIntervalMs: 1 },
        ...{ groupId: 'spans-later', transactionalId: 'spans-later' },
        async transform({ value }) {
          await setTimeout(20)
          return [{ value }]
        },
      })
      await using _incoming = openIncoming(kafka, {
        ...{ channel: 'later', topic: 'later-out', from: 'earliest', groupId: 'spans-later-read' },
        onMessage: ({ headers }) => void received.push(headers['traceparent']),
      })
      await waitFor('all messages', () => received.length >= 3 && transform.counters.consumed >= 3)
    }
    await waitFor('no open span', () => spans.open().length === 0)
    expect(received.map((header) => header?.slice(3, 35))).toEqual([trace, trace, trace])
    expect(received.map((header) => header?.slice(-2))).toEqual(['01', '00', '00'])
    const batches = spans.ended.filter(({ name }) => name === 'receive later-in')
    // Each message takes longer than a transaction may.
    for (const { links, attributes } of batches) {
      expect(links).toHaveLength(1)
      expect(attributes['messaging.batch.message_count']).toBe(1)
    }
    expect(batches.length).toBeGreaterThanOrEqual(3)
  })

  it('are continued from the headers of a message that is passed on outside of every span', async () => {
    const kafka = createKafka({ clientId: 'spans', bootstrapServers: broker.bootstrapServers, log })
    await using outgoing = openOutgoing(kafka, { channel: 'spans-in', timeoutMs: 90_000 })
    const trace = '0af7651916cd43dd8448eb211c80319c'
    await outgoing.send({ value: 'c', headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` } })
    expect(spans.ended.at(-1)?.spanContext().traceId).toBe(trace)
    expect(tracing()?.active()).toBeUndefined()
  })

  it('end with a message that is dropped, which has failed', async () => {
    const kafka = createKafka({ clientId: 'spans', bootstrapServers: '127.0.0.1:1', log })
    await using outgoing = openOutgoing(kafka, { channel: 'nowhere', overflow: 'drop' })
    await outgoing.send({ value: 'd' })
    expect(spans.ended.at(-1)).toMatchObject({
      name: 'send nowhere',
      attributes: { 'error.type': 'CHANNEL_NOT_READY' },
    })
  })
})
