import { outcomeOf } from '../../protocol/protocol-error.ts'
import { array, int16, int32, int64, nullableString } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, mapPartitions } from '../definition/by-topic.ts'

const activeProducer = struct({
  producerId: int64,
  producerEpoch: int32,
  lastSequence: int32,
  lastTimestamp: int64,
  coordinatorEpoch: constant(int32, 0),
  currentTxnStartOffset: int64,
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  topics: byTopic(
    struct({ index: int32, errorCode: int16, errorMessage: nullableString, activeProducers: array(activeProducer) }),
  ),
})

/** The producers that write to a partition with sequence numbers, and the transactions open there. */
export const describeProducers = defineApi('DescribeProducers', {
  request: struct({ topics: byTopic(int32) }),
  response,
  handle: async ({ topics }, { broker }) => ({
    topics: await mapPartitions(topics, (name, index) => {
      const find = () => ({ activeProducers: broker.leading(name, index).activeProducers })
      return { index, ...outcomeOf(find, { activeProducers: [] }) }
    }),
  }),
})
