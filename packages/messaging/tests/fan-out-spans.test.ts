import { recordSpans, startKafka, waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { createKafka, openOutgoing } from '../src/index.ts'
import { createGate, numbered, openTexts } from './fan-out-parts.ts'
import { silentLog } from './silent-log.ts'

const traceparent = (flags: string) => `00-${'1'.repeat(32)}-${'2'.repeat(16)}-${flags}`

it('a fan-out has a process span for each subscription and message of a sampled trace, also where it is not wanted', async () => {
  await using broker = await startKafka()
  const kafka = createKafka({ clientId: 'spans', bootstrapServers: broker.bootstrapServers, log: silentLog })
  await using spans = await recordSpans()
  {
    await using fanOut = openTexts(kafka, 'traced')
    const wanting = fanOut.subscribe('wanting')
    const refusing = fanOut.subscribe('refusing', { wants: () => false })
    await using outgoing = openOutgoing(kafka, { channel: 'traced', timeoutMs: 90_000 })
    for (const value of ['a', 'b']) await outgoing.send({ value })
    await waitFor('both', () => wanting.seen.length >= 2 && refusing.unwanted.length >= 2)
    expect(refusing.seen).toEqual([])
    expect(wanting.unwanted).toEqual([])
  }
  await waitFor('no open span', () => spans.open().length === 0)
  const sent = spans.ended.filter(({ name }) => name === 'send traced')
  const processed = spans.ended
    .filter(({ name }) => name === 'process traced')
    .map(({ kind, attributes, parentSpanContext }) => ({
      kind,
      group: attributes['messaging.consumer.group.name'],
      offset: attributes['messaging.kafka.offset'],
      parent: parentSpanContext?.spanId,
    }))
  const expected = ['wanting', 'refusing'].flatMap((group) =>
    sent.map((span, offset) => ({ kind: 4, group, offset, parent: span.spanContext().spanId })),
  )
  expect(processed).toHaveLength(4)
  expect(processed).toEqual(expect.arrayContaining(expected))
})

it('nobody is told of a message that it does not want, unless its trace is sampled', async () => {
  await using broker = await startKafka()
  const kafka = createKafka({ clientId: 'spans', bootstrapServers: broker.bootstrapServers, log: silentLog })
  await using outgoing = openOutgoing(kafka, { channel: 'sampled', timeoutMs: 90_000 })
  await outgoing.send({ value: 'without a trace' })
  await using spans = await recordSpans()
  const send = async (value: string, flags: string) =>
    void (await outgoing.send({ value, headers: { traceparent: traceparent(flags) } }))
  {
    await using fanOut = openTexts(kafka, 'sampled')
    const wanting = fanOut.subscribe('wanting')
    const refusing = fanOut.subscribe('refusing', { wants: () => false })
    const needing = fanOut.subscribe('needing', {
      needs: () => ({ name: 'kind', value: 'needed' }),
      wants: (text) => text === 'needed',
    })
    // Sent again until it is asked no more.
    await waitFor('the needs to count', async () => {
      await send('left out', '00')
      return needing.places.unasked >= 1
    })
    await send('sampled', '01')
    await send('left out', '02')
    await send('needed', '03')
    await waitFor('the last', () => [wanting, needing].every(({ seen }) => seen.includes('needed')))
    await waitFor('the last, unwanted', () => refusing.unwanted.includes('needed'))
    expect(new Set(wanting.seen)).toEqual(new Set(['without a trace', 'left out', 'sampled', 'needed']))
    expect(refusing).toMatchObject({ seen: [], unwanted: ['sampled', 'needed'] })
    expect(needing.unwanted).toEqual(['sampled'])
  }
  await waitFor('no open span', () => spans.open().length === 0)
  const recorded = spans.ended.filter(({ name }) => name === 'process sampled')
  expect(recorded.filter(({ attributes }) => attributes['messaging.consumer.group.name'] === 'refusing')).toHaveLength(
    2,
  )
  expect(recorded.filter(({ attributes }) => attributes['messaging.consumer.group.name'] === 'needing').length).toBe(2)
})

it('a message that is not wanted takes no place in flight, and may fail to be told of', async () => {
  await using broker = await startKafka()
  const kafka = createKafka({ clientId: 'spans', bootstrapServers: broker.bootstrapServers, log: silentLog })
  await using spans = await recordSpans()
  await using fanOut = openTexts(kafka, 'in-flight')
  const gate = createGate()
  const unwanted: string[] = []
  const busy = fanOut.subscribe('busy', {
    wants: (text) => text === 'wanted',
    onMessage: gate.onMessage,
    onUnwanted(text) {
      unwanted.push(text)
      throw new Error('not told')
    },
  })
  await using outgoing = openOutgoing(kafka, { channel: 'in-flight', timeoutMs: 90_000 })
  await outgoing.send({ value: 'wanted' })
  await waitFor('the message in flight', () => busy.seen.length >= 1)
  // More than may wait.
  await Promise.all(numbered(300).map((value) => outgoing.send({ value })))
  await waitFor('all others', () => unwanted.length >= 300)
  expect(busy.places.isBehind).toBe(false)
  gate.open()
  await waitFor('the end of the first', () => spans.open().length === 0)
})
