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
    // Asked only where nothing is traced.
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
