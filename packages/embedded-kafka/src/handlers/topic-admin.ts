import { ErrorCode } from '../protocol/error-code.ts'
import { failureOf, ProtocolError } from '../protocol/protocol-error.ts'
import { createPartitions, createTopics, deleteRecords, deleteTopics } from '../protocol/topic-admin.ts'
import type { Infer } from '../wire/codec.ts'
import { ZERO_UUID } from '../wire/primitives.ts'
import { configEntries } from './config-admin.ts'
import { codeOf, type Endpoint, endpoint, type RequestContext } from './endpoint.ts'

type NewTopic = Infer<typeof createTopics.request>['topics'][number]

/** Manual assignments give the partition count; they can name no other broker than this one. */
function partitionCount({ assignments, numPartitions }: NewTopic, { broker }: RequestContext): number | undefined {
  if (assignments.length === 0) return numPartitions === -1 ? undefined : numPartitions
  if (assignments.some(({ brokerIds }) => brokerIds.length !== 1 || brokerIds[0] !== broker.nodeId)) {
    throw new ProtocolError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, `there is only broker ${broker.nodeId}`)
  }
  return assignments.length
}

function createTopic(topic: NewTopic, validateOnly: boolean, context: RequestContext) {
  if (topic.replicationFactor !== -1 && topic.replicationFactor !== 1 && topic.assignments.length === 0) {
    const wanted = topic.replicationFactor
    throw new ProtocolError(ErrorCode.INVALID_REPLICATION_FACTOR, `replication factor ${wanted} with one broker`)
  }
  const partitions = partitionCount(topic, context)
  const config = Object.fromEntries(topic.configs.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])))
  return context.broker.topics.create(topic.name, {
    config,
    validateOnly,
    ...(partitions !== undefined && { partitions }),
  })
}

export const createTopicsEndpoint: Endpoint = endpoint(createTopics, ({ topics, validateOnly }, context) => ({
  topics: topics.map((wanted) => {
    try {
      const topic = createTopic(wanted, validateOnly, context)
      return {
        name: wanted.name,
        topicId: topic.id,
        errorCode: ErrorCode.NONE,
        errorMessage: null,
        numPartitions: topic.partitions.length,
        replicationFactor: 1,
        configs: configEntries(topic.config),
      }
    } catch (error) {
      const { errorCode, message } = failureOf(error)
      return {
        name: wanted.name,
        topicId: ZERO_UUID,
        errorCode,
        errorMessage: message,
        numPartitions: -1,
        replicationFactor: -1,
        configs: null,
      }
    }
  }),
}))

export const deleteTopicsEndpoint: Endpoint = endpoint(deleteTopics, ({ topics, topicNames }, { broker }) => {
  const wanted = [...topics, ...topicNames.map((name) => ({ name, topicId: ZERO_UUID }))]
  return {
    topics: wanted.map(({ name, topicId }) => {
      const topic = name === null ? broker.topics.findById(topicId) : broker.topics.find(name)
      if (!topic) {
        const errorCode = name === null ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        return { name, topicId, errorCode }
      }
      return { name: topic.name, topicId: topic.id, errorCode: codeOf(() => broker.topics.delete(topic.name)) }
    }),
  }
})

export const createPartitionsEndpoint: Endpoint = endpoint(
  createPartitions,
  ({ topics, validateOnly }, { broker }) => ({
    results: topics.map(({ name, count }) => {
      try {
        broker.topics.grow(name, count, { validateOnly })
        return { name, errorCode: ErrorCode.NONE, errorMessage: null }
      } catch (error) {
        const { errorCode, message } = failureOf(error)
        return { name, errorCode, errorMessage: message }
      }
    }),
  }),
)

export const deleteRecordsEndpoint: Endpoint = endpoint(deleteRecords, ({ topics }, { broker }) => ({
  topics: topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map(({ index, offset }) => {
      try {
        return { index, lowWatermark: broker.topics.deleteRecords(name, index, offset), errorCode: ErrorCode.NONE }
      } catch (error) {
        return { index, lowWatermark: -1, errorCode: failureOf(error).errorCode }
      }
    }),
  })),
}))
