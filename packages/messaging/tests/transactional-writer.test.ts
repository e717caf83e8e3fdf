import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin, createTransactionalWriter } from '../src/index.ts'
import { startBroker, type TestBroker, textOf, unique } from './broker.ts'
import { readCommitted } from './exactly-once.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => await broker[Symbol.asyncDispose]())

async function writerOf(outboxId = 'shop') {
  const topic = await broker.makeTopic(3)
  const transactionalId = unique('outbox')
  const writer = createTransactionalWriter(broker.kafka, { topic, transactionalId })
  return { topic, transactionalId, open: (id = outboxId) => writer.open({ outboxId: id }) }
}
const batch = (number: number, ...values: readonly string[]) => ({
  number,
  messages: values.map((value) => ({ key: value.slice(0, 1), value, headers: { number: String(number) } })),
})

describe('createTransactionalWriter', () => {
  it('writes batches, and knows the last one in the next session', async () => {
    const { topic, open } = await writerOf()
    await using session = await open()
    expect(session.last).toBe(0)
    expect(await session.write(batch(1, 'a1', 'b1'))).toEqual([{ state: 'delivered' }, { state: 'delivered' }])
    await session.write(batch(2, 'a2'))
    await using again = await open()
    expect(again.last).toBe(2)
    await using other = await open('another shop')
    expect(other.last).toBe(0)
    await using reader = broker.read(topic)
    await waitFor('the messages', () => reader.messages.length === 3)
    expect(reader.messages.map(textOf).toSorted()).toEqual(['a1', 'a2', 'b1'])
    expect(reader.messages.find((message) => textOf(message) === 'a2')?.headers).toEqual({ number: '2' })
  })

  it('fences the session before: its batch is not in the topic, and not the last one', async () => {
    const { topic, open } = await writerOf()
    await using first = await open()
    await first.write(batch(1, 'a1'))
    await using second = await open()
    await expect(first.write(batch(2, 'never'))).rejects.toThrow()
    await second.write(batch(2, 'a2'))
    await using third = await open()
    expect(third.last).toBe(2)
    expect(await readCommitted(broker, topic, 2)).toEqual(['a1', 'a2'])
  })

  it('writes nothing of a batch with a message that Kafka refuses, and goes on with the next', async () => {
    const { topic, open } = await writerOf()
    await using session = await open()
    const outcomes = await session.write(batch(1, 'a1', 'b'.repeat(2_000_000)))
    expect(outcomes.map(({ state }) => state)).toEqual(['refused', 'refused'])
    await session.write(batch(2, 'a2'))
    expect(await readCommitted(broker, topic, 1)).toEqual(['a2'])
  })

  it('stores the number of the batch as an offset of the group with its transactional id', async () => {
    const { topic, transactionalId, open } = await writerOf()
    await using session = await open()
    await session.write(batch(17, 'a1'))
    await using admin = createTopicAdmin(broker.kafka)
    const stored = await waitFor('the offset', async () => (await admin.storedOffsets(transactionalId, topic))[0])
    expect(stored).toEqual({ offset: '17', metadata: 'outbox=shop' })
  })

  it('creates a topic that does not exist', async () => {
    const topic = unique('new-topic')
    const writer = createTransactionalWriter(broker.kafka, { topic, transactionalId: unique('outbox') })
    await using session = await writer.open({ outboxId: 'shop' })
    expect(session.last).toBe(0)
    await session.write(batch(1, 'a1'))
    expect(await readCommitted(broker, topic, 1)).toEqual(['a1'])
  })

  it.each(['topic', 'transactionalId'])('refuses an empty %s', (name) => {
    const options = { topic: 'orders', transactionalId: 'shop', [name]: '' }
    expect(() => createTransactionalWriter(broker.kafka, options)).toThrow(RangeError)
  })
})
