import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int16, int32, nullableArray, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic } from '../definition/by-topic.ts'

/** The partitions that are moving to other brokers: of those asked for, or of all. */
export const listPartitionReassignments = defineApi('ListPartitionReassignments', {
  request: struct({
    timeoutMs: int32,
    topics: nullableArray(struct({ name: string, partitions: array(int32) })),
  }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    errorCode: int16,
    errorMessage: nullableString,
    topics: byTopic(struct({ index: int32, replicas: array(int32), adding: array(int32), removing: array(int32) })),
  }),
  handle({ topics: wanted }, { broker }) {
    const isWanted = (topic: string, index: number): boolean =>
      wanted === null || wanted.some(({ name, partitions }) => name === topic && partitions.includes(index))
    const topics = broker.topics.all.map(({ name, partitions }) => ({
      name,
      partitions: partitions.flatMap(({ index, replicas }) => {
        const { replicas: all, adding, removing } = replicas.leadership
        const isMoving = adding.length > 0 || removing.length > 0
        return isMoving && isWanted(name, index) ? [{ index, replicas: all, adding, removing }] : []
      }),
    }))
    return {
      errorCode: ErrorCode.NONE,
      errorMessage: null,
      topics: topics.filter(({ partitions }) => partitions.length > 0),
    }
  },
})
