import { waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { openIncoming } from '../src/index.ts'
import { startBroker, textOf } from './broker.ts'

const MESSAGES = 10_000

it('openIncoming reads a long backlog in order, with one signal for many messages, because clearing many away holds a process up', async () => {
  await using broker = await startBroker()
  const topic = await broker.makeTopic()
  const values = Array.from({ length: MESSAGES }, (_, index) => String(index))
  while (values.length > 0) await broker.write(topic, ...values.splice(0, 5000))
  const order: string[] = []
  const signals = new Set<AbortSignal>()
  await using _incoming = openIncoming(broker.kafka, {
    channel: 'backlog',
    topic,
    from: 'earliest',
    onMessage(message, signal) {
      order.push(textOf(message))
      signals.add(signal)
    },
  })
  await waitFor('every message', () => order.length >= MESSAGES)
  expect(order).toEqual(Array.from({ length: MESSAGES }, (_, index) => String(index)))
  expect(signals.size).toBeLessThan(MESSAGES / 20)
})
