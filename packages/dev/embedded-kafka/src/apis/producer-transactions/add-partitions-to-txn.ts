import { ErrorCode } from '../../protocol/error-code.ts'
import { codeOf } from '../../protocol/protocol-error.ts'
import { int16, int32, int64, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, errorsByTopic } from '../definition/by-topic.ts'
import { fencedAs } from './fenced-as.ts'

const request = struct({
  transactionalId: string,
  producerId: int64,
  producerEpoch: int16,
  topics: byTopic(int32),
})

/** Adds all partitions or none. */
export const addPartitionsToTxn = defineApi({
  key: 24,
  name: 'AddPartitionsToTxn',
  minVersion: 0,
  maxVersion: 3,
  flexibleSince: 3,
  request,
  response: struct({ throttleTimeMs: constant(int32, 0), topics: errorsByTopic }),
  handle(producer, { broker, version }) {
    const { transactionalId, topics } = producer
    const wanted = topics.flatMap(({ name, partitions }) => partitions.map((partition) => ({ topic: name, partition })))
    const isKnown = (topic: string, partition: number): boolean =>
      broker.topics.find(topic)?.partitions[partition] !== undefined
    const add = () => broker.transactions.add(transactionalId, producer, { partitions: wanted })
    const errorCode = wanted.every(({ topic, partition }) => isKnown(topic, partition))
      ? fencedAs(codeOf(add), { knowsFenced: version >= 2 })
      : ErrorCode.OPERATION_NOT_ATTEMPTED
    return {
      topics: topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map((index) => ({
          index,
          errorCode: isKnown(name, index) ? errorCode : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        })),
      })),
    }
  },
})
