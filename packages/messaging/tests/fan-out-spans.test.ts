import { recordSpans, startKafka, waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { createKafka, openOutgoing } from '../src/index.ts'
import { openTexts } from './fan-out-parts.ts'
import { silentLog } from './silent-log.ts'

it('a fan-out has a process span for each subscription and message, in the trace of the message', async () => {
  await using broker = await startKafka()
  const kafka = createKafka({ clientId: 'spans', bootstrapServers: broker.bootstrapServers, log: silentLog })
  await using spans = await recordSpans()
  {
    await using fanOut = openTexts(kafka, 'traced')
    const wanting = fanOut.subscribe('wanting')
    // Told also of what it does not want, where a trace is recorded.
    const refusing = fanOut.subscribe('refusing', { wants: () => false })
    await using outgoing = openOutgoing(kafka, { channel: 'traced', timeoutMs: 90_000 })
    for (const value of ['a', 'b']) await outgoing.send({ value })
    await waitFor('both', () => wanting.seen.length >= 2 && refusing.seen.length >= 2)
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

it('only those who want it handle a message whose trace is not recorded', async () => {
  await using broker = await startKafka()
  const kafka = createKafka({ clientId: 'spans', bootstrapServers: broker.bootstrapServers, log: silentLog })
  await using spans = await recordSpans()
  const traceparent = (flags: string) => `00-${'1'.repeat(32)}-${'2'.repeat(16)}-${flags}`
  {
    await using fanOut = openTexts(kafka, 'sampled')
    const wanting = fanOut.subscribe('wanting')
    const refusing = fanOut.subscribe('refusing', { wants: () => false })
    const needing = fanOut.subscribe('needing', {
      needs: () => ({ name: 'kind', value: 'needed' }),
      wants: () => false,
    })
    await using outgoing = openOutgoing(kafka, { channel: 'sampled', timeoutMs: 90_000 })
    for (const [value, flags] of [
      ['left out', '00'],
      ['recorded', '01'],
      ['left out again', '02'],
      ['last', '03'],
    ] as const) {
      await outgoing.send({ value, headers: { traceparent: traceparent(flags) } })
    }
    await waitFor('the last', () => [wanting, refusing, needing].every(({ seen }) => seen.includes('last')))
    expect(wanting.seen).toEqual(['left out', 'recorded', 'left out again', 'last'])
    expect(refusing.seen).toEqual(['recorded', 'last'])
    expect(needing.seen).toEqual(['recorded', 'last'])
  }
  await waitFor('no open span', () => spans.open().length === 0)
  expect(spans.ended.filter(({ name }) => name === 'process sampled')).toHaveLength(6)
})
