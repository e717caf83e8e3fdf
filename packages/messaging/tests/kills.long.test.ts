import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin } from '../src/index.ts'
import { startBroker, type TestBroker } from './broker.ts'
import { makeTopics, readCommitted, startTransform } from './exactly-once.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

describe('openTransform', () => {
  it('gives every message exactly one result while instances are killed', async () => {
    const topics = await makeTopics(broker, 2)
    const values = Array.from({ length: 2000 }, (_, index) => `beer-${index}`)
    await using admin = createTopicAdmin(broker.kafka)
    const consumed = async () => {
      const offsets = await admin.committedOffsets(topics.groupId, topics.input)
      return offsets.reduce((sum, offset) => sum + Number(offset ?? 0), 0)
    }
    await using processes = new AsyncDisposableStack()
    let victim = processes.use(startTransform(broker, topics))
    await using other = startTransform(broker, topics)
    await waitFor('the other instance', () => other.lines.includes('assigned'))
    for (const [round, killAt] of [400, 1200].entries()) {
      // With two members each has one of the two partitions, so the kill interrupts work.
      await waitFor('the victim to have work', () => victim.lines.includes('assigned'))
      await broker.write(topics.input, ...values.slice(round * 1000, (round + 1) * 1000))
      await waitFor('some progress', async () => (await consumed()) >= killAt, { intervalMs: 1 })
      await victim.kill()
      victim = processes.use(startTransform(broker, topics))
    }
    const results = await readCommitted(broker, topics.output, values.length)
    expect(results.length).toBe(values.length)
    expect(new Set(results)).toEqual(new Set(values.map((value) => `${value} priced`)))
  })
})
