import { ErrorCode } from '../../protocol/error-code.ts'
import { failureOf } from '../../protocol/protocol-error.ts'
import type { Topic } from '../../topics/topic-catalog.ts'
import { mapInTurns } from '../../turn.ts'
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
import { between, constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { NO_OPERATIONS } from '../definition/authorized-operations.ts'
import { ownNode } from './nodes.ts'

const request = struct({
  topics: nullableArray(struct({ topicId: since(10, uuid, ZERO_UUID), name: nullableString })),
  allowAutoTopicCreation: since(4, bool, true),
  includeClusterAuthorizedOperations: between(8, 10, bool, false),
  includeTopicAuthorizedOperations: since(8, bool, false),
})

const partition = struct({
  errorCode: constant(int16, 0),
  partitionIndex: int32,
  leaderId: int32,
  leaderEpoch: constant(int32, 0, 7),
  replicaNodes: array(int32),
  isrNodes: array(int32),
  offlineReplicas: constant(array(int32), [], 5),
})

const response = struct({
  throttleTimeMs: constant(int32, 0, 3),
  brokers: array(struct({ nodeId: int32, host: string, port: int32, rack: constant(nullableString, null, 1) })),
  clusterId: since(2, nullableString, null),
  controllerId: since(1, int32, -1),
  topics: array(
    struct({
      errorCode: int16,
      name: nullableString,
      topicId: since(10, uuid, ZERO_UUID),
      isInternal: constant(bool, false, 1),
      partitions: array(partition),
      authorizedOperations: constant(int32, NO_OPERATIONS, 8),
    }),
  ),
  clusterAuthorizedOperations: constant(int32, NO_OPERATIONS, 8, 10),
})

function describeTopic(topic: Topic, nodeId: number) {
  return {
    errorCode: ErrorCode.NONE,
    name: topic.name,
    topicId: topic.id,
    partitions: topic.partitions.map(({ index }) => ({
      partitionIndex: index,
      leaderId: nodeId,
      replicaNodes: [nodeId],
      isrNodes: [nodeId],
    })),
  }
}

function failedTopic(name: string | null, topicId: string, errorCode: ErrorCode) {
  return { errorCode, name, topicId, partitions: [] }
}

/** The brokers, and the topics asked for, which are created on demand. */
export const metadata = defineApi({
  key: 3,
  name: 'Metadata',
  minVersion: 0,
  maxVersion: 12,
  flexibleSince: 9,
  request,
  response,
  async handle({ topics: wanted, allowAutoTopicCreation }, context) {
    const { broker, version } = context
    const mayCreate = broker.autoCreateTopics && allowAutoTopicCreation
    const describe = ({ name, topicId }: { readonly name: string | null; readonly topicId: string }) => {
      if (name === null) {
        const topic = broker.topics.findById(topicId)
        return topic ? describeTopic(topic, broker.nodeId) : failedTopic(null, topicId, ErrorCode.UNKNOWN_TOPIC_ID)
      }
      const known = broker.topics.find(name)
      if (known) return describeTopic(known, broker.nodeId)
      if (!mayCreate) return failedTopic(name, ZERO_UUID, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
      try {
        return describeTopic(broker.topics.create(name), broker.nodeId)
      } catch (error) {
        return failedTopic(name, ZERO_UUID, failureOf(error).errorCode)
      }
    }
    // Version 0 has no null: an empty list asks for all topics.
    const wantsAll = wanted === null || (version === 0 && wanted.length === 0)
    const topics = wantsAll
      ? await mapInTurns(broker.topics.all, (topic) => describeTopic(topic, broker.nodeId))
      : await mapInTurns(wanted, describe)
    return { brokers: [ownNode(context)], clusterId: broker.clusterId, controllerId: broker.nodeId, topics }
  },
})
