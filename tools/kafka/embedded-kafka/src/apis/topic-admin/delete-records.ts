import type { Broker } from '../../broker/broker.ts'
import { outcomeOf } from '../../protocol/protocol-error.ts'
import { internalTopicRefused, isInternalTopic } from '../../topics/internal-topics.ts'
import { int16, int32, int64 } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, mapPartitions } from '../definition/by-topic.ts'

const request = struct({
  topics: byTopic(struct({ index: int32, offset: int64 })),
  timeoutMs: int32,
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  topics: byTopic(struct({ index: int32, lowWatermark: int64, errorCode: int16 })),
})

function deleteBefore(broker: Broker, topic: string, index: number, offset: number) {
  if (isInternalTopic(topic)) throw internalTopicRefused()
  broker.leading(topic, index)
  return { lowWatermark: broker.topics.deleteRecords(topic, index, offset) }
}

export const deleteRecords = defineApi('DeleteRecords', {
  request,
  response,
  handle: async ({ topics }, { broker }) => ({
    topics: await mapPartitions(topics, (name, { index, offset }) => ({
      index,
      ...outcomeOf(() => deleteBefore(broker, name, index, offset), { lowWatermark: -1 }),
    })),
  }),
})
