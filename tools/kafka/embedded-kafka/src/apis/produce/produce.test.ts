import { expect, it } from 'vitest'
import { makeBatch } from '../../../tests/make-batch.ts'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker } from '../../../tests/open-test-broker.ts'
import { Clock } from '../../clock.ts'
import { ZERO_UUID } from '../../wire/primitives.ts'
import { produce } from './produce.ts'

it('Produce answers a retried batch with the time that the broker has given it', async () => {
  let now = 1000
  const broker = openTestBroker({
    clock: new Clock(() => now),
  })
  broker.topics.create('t', { config: { 'message.timestamp.type': 'LogAppendTime' } })
  const send = (baseSequence: number) => {
    const records = makeBatch({ timestamp: 5, producerId: 1, producerEpoch: 0, baseSequence })
    const topics = [{ name: 't', topicId: ZERO_UUID, partitions: [{ index: 0, records }] }]
    return produce.handle({ transactionalId: null, acks: -1, timeoutMs: 1000, topics }, makeContext(broker, 9))
  }
  const answered = (baseOffset: number, logAppendTimeMs: number) => ({
    topics: [{ partitions: [{ errorCode: 0, baseOffset, logAppendTimeMs }] }],
  })
  expect(await send(0)).toMatchObject(answered(0, 1000))
  now = 2000
  expect(await send(0)).toMatchObject(answered(0, 1000))
  expect(await send(1)).toMatchObject(answered(1, 2000))
  broker.close()
})
