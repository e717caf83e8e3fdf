import { ErrorCode } from '../../protocol/error-code.ts'
import { isInternalTopic } from '../../topics/internal-topics.ts'
import type { Infer } from '../../wire/codec.ts'
import {
  array,
  bool,
  int16,
  int32,
  nullableArray,
  nullableString,
  string,
  uuid,
  ZERO_UUID,
} from '../../wire/primitives.ts'
import { constant, nullableStruct, struct } from '../../wire/struct.ts'
import { describePartition } from '../cluster/describe-partition.ts'
import { defineApi, type RequestContext } from '../definition/api.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'

/** As Apache Kafka's max.request.partition.size.limit. */
const MAX_PARTITIONS = 2000

const cursor = nullableStruct(struct({ topicName: string, partitionIndex: int32 }))

const partition = struct({
  errorCode: int16,
  partitionIndex: int32,
  leaderId: int32,
  leaderEpoch: int32,
  replicaNodes: array(int32),
  isrNodes: array(int32),
  eligibleLeaderReplicas: constant(nullableArray(int32), []),
  lastKnownElr: constant(nullableArray(int32), []),
  offlineReplicas: array(int32),
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  topics: array(
    struct({
      errorCode: int16,
      name: nullableString,
      topicId: uuid,
      isInternal: bool,
      partitions: array(partition),
      authorizedOperations: int32,
    }),
  ),
  nextCursor: cursor,
})

interface Page {
  readonly firstPartition: number
  readonly limit: number
}

function describe({ broker, faults }: RequestContext, name: string, { firstPartition, limit }: Page) {
  const topic = broker.topics.find(name)
  if (!topic)
    return {
      errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
      name,
      topicId: ZERO_UUID,
      isInternal: false,
      partitions: [],
    }
  const page = topic.partitions.slice(firstPartition, firstPartition + limit)
  const partitions = page.map((partition) => describePartition(name, partition, faults))
  return { errorCode: ErrorCode.NONE, name, topicId: topic.id, isInternal: isInternalTopic(name), partitions }
}

/** Topics by name, and their partitions, page by page: the cursor of an answer is where the next request begins. */
export const describeTopicPartitions = defineApi('DescribeTopicPartitions', {
  request: struct({ topics: array(struct({ name: string })), responsePartitionLimit: int32, cursor }),
  response,
  handle({ topics: wanted, responsePartitionLimit, cursor: from }, context) {
    const { broker } = context
    const given = wanted.length === 0 ? broker.topics.all : wanted
    const names = [...new Set(given.map(({ name }) => name))].sort().filter((name) => name >= (from?.topicName ?? ''))
    let left = Math.min(Math.max(1, responsePartitionLimit), MAX_PARTITIONS)
    const topics: Infer<typeof response>['topics'][number][] = []
    for (const name of names) {
      const firstPartition = name === from?.topicName ? Math.max(0, from.partitionIndex) : 0
      if (left === 0) return { topics, nextCursor: { topicName: name, partitionIndex: firstPartition } }
      const topic = describe(context, name, { firstPartition, limit: left })
      // Always told, as by Apache Kafka.
      topics.push({ ...topic, authorizedOperations: authorizedOperations(context, true, 'TOPIC', name) })
      left -= topic.partitions.length
      const next = firstPartition + topic.partitions.length
      const isWhole = next >= (broker.topics.find(name)?.partitions.length ?? 0)
      if (!isWhole) return { topics, nextCursor: { topicName: name, partitionIndex: next } }
    }
    return { topics, nextCursor: null }
  },
})
