import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBroker, type TestBroker, textOf, unique } from './broker.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

async function openProducer() {
  const producer = broker.kafka.kafkajs.producer({
    ...{ transactionalId: unique('producer'), maxInFlightRequests: 1, idempotent: true },
  })
  await producer.connect()
  return producer
}

describe('transactions of several producers in one partition', () => {
  it('decisions 3.6: are not read when they were aborted, whichever of them ended first', async () => {
    const topic = await broker.makeTopic()
    const producers = [await openProducer(), await openProducer()] as const
    const [first, second] = [await producers[0].transaction(), await producers[1].transaction()]
    await first.send({ topic, messages: [{ value: 'aborted 1' }, { value: 'aborted 2' }] })
    await second.send({ topic, messages: [{ value: 'aborted 3' }] })
    await second.abort()
    await first.abort()
    await broker.write(topic, 'last')
    await using read = broker.read(topic)
    await waitFor('the last message', () => read.messages.some((message) => textOf(message) === 'last'))
    expect(read.messages.map(textOf)).toEqual(['last'])
    for (const producer of producers) await producer.disconnect()
  })
})
