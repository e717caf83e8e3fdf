import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { array, bool, int16, int32, int64, nullableArray, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, mapPartitions } from '../definition/by-topic.ts'

const response = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: since(3, int16, 0),
  results: array(
    struct({
      errorCode: constant(int16, 0),
      logDir: string,
      topics: byTopic(struct({ index: int32, size: int64, offsetLag: int64, isFutureKey: constant(bool, false) })),
      // -1: not told.
      totalBytes: constant(int64, -1, 4),
      usableBytes: constant(int64, -1, 4),
    }),
  ),
})

interface WantedTopic {
  readonly name: string
  readonly partitions: readonly number[]
}

/**
 * Those of the wanted partitions that this broker has a replica of; null asks for all. They can be deleted while others are looked at.
 */
function found(broker: Broker, wanted: readonly WantedTopic[] | null) {
  const all = wanted ?? broker.topics.all.map(({ name, partitions }) => ({ name, partitions: [...partitions.keys()] }))
  return all.flatMap(({ name, partitions }) => {
    const topic = broker.topics.find(name)
    const own = partitions.flatMap((index) => {
      const { replicas } = topic?.partitions[index] ?? {}
      const replica = replicas?.on(broker.nodeId)
      return replicas && replica ? [{ index, replica, replicas }] : []
    })
    return own.length > 0 ? [{ name, partitions: own }] : []
  })
}

/** How many bytes each partition takes, in the one folder there is (or in memory). */
export const describeLogDirs = defineApi('DescribeLogDirs', {
  request: struct({ topics: nullableArray(struct({ name: string, partitions: array(int32) })) }),
  response,
  handle: async ({ topics }, { broker }) => ({
    errorCode: ErrorCode.NONE,
    results: [
      {
        logDir: broker.logDir,
        topics: await mapPartitions(found(broker, topics), (_name, { index, replica, replicas }) => ({
          index,
          size: replica.sizeInBytes,
          offsetLag: Math.max(0, replicas.highWatermark - replica.endOffset),
        })),
      },
    ],
  }),
})
