import { monitorEventLoopDelay } from 'node:perf_hooks'
import { waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { openIncoming } from '../src/index.ts'
import { startBroker, textOf } from './broker.ts'

const MESSAGES = 30_000
const LIMIT = { timeoutMs: 40_000 }

it('openIncoming reads a long backlog in order, without holding its process up', async () => {
  await using broker = await startBroker()
  const topic = await broker.makeTopic()
  const values = Array.from({ length: MESSAGES }, (_, index) => String(index))
  while (values.length > 0) await broker.write(topic, ...values.splice(0, 5000))
  const order: string[] = []
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  await using _incoming = openIncoming(broker.kafka, {
    channel: 'backlog',
    topic,
    from: 'earliest',
    onMessage: (message) => void order.push(textOf(message)),
  })
  await waitFor('every message', () => order.length >= MESSAGES, LIMIT)
  // What every message left behind is cleared away within this time.
  await waitFor('some turns of the event loop', () => delays.count > 300, LIMIT)
  delays.disable()
  expect(order).toEqual(Array.from({ length: MESSAGES }, (_, index) => String(index)))
  expect(delays.max / 1e6).toBeLessThan(1000)
})
