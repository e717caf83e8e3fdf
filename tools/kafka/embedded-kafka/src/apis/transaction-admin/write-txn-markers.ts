import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { codeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import type { Infer } from '../../wire/codec.ts'
import { array, bool, int16, int32, int64 } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, errorsByTopic, forPartitions } from '../definition/by-topic.ts'

const marker = struct({
  producerId: int64,
  producerEpoch: int16,
  transactionResult: bool,
  topics: byTopic(int32),
  coordinatorEpoch: int32,
})

function write(broker: Broker, of: Infer<typeof marker>, topic: string, index: number): void {
  const { producerId, producerEpoch, transactionResult } = of
  const partition = broker.leading(topic, index)
  const known = partition.activeProducers.find((producer) => producer.producerId === producerId)
  if (known && producerEpoch < known.producerEpoch) {
    throw new ProtocolError(ErrorCode.INVALID_PRODUCER_EPOCH, 'a newer producer has written here')
  }
  const outcome = transactionResult ? 'commit' : 'abort'
  partition.endTransaction({ producerId, producerEpoch, outcome, timestamp: broker.now() })
}

/** Ends transactions in single partitions, as coordinators and administrators do with those that hang (KIP-664). */
export const writeTxnMarkers = defineApi('WriteTxnMarkers', {
  request: struct({ markers: array(marker) }),
  response: struct({ markers: array(struct({ producerId: int64, topics: errorsByTopic })) }),
  handle: async ({ markers }, { broker }) => ({
    markers: await mapInTurns(markers, (each) => ({
      producerId: each.producerId,
      topics: forPartitions(each.topics, (index, name) => ({
        index,
        errorCode: codeOf(() => write(broker, each, name, index)),
      })),
    })),
  }),
})
