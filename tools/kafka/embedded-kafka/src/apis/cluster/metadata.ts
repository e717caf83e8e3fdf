import { ErrorCode } from '../../protocol/error-code.ts'
import { outcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { isInternalTopic } from '../../topics/internal-topics.ts'
import type { Topic } from '../../topics/topic.ts'
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
import { defineApi, type RequestContext } from '../definition/api.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'
import { describePartition } from './describe-partition.ts'
import { reachableNodes } from './nodes.ts'

const request = struct({
  topics: nullableArray(struct({ topicId: since(10, uuid, ZERO_UUID), name: nullableString })),
  allowAutoTopicCreation: since(4, bool, true),
  includeClusterAuthorizedOperations: between(8, 10, bool, false),
  includeTopicAuthorizedOperations: since(8, bool, false),
})

const partition = struct({
  errorCode: int16,
  partitionIndex: int32,
  leaderId: int32,
  leaderEpoch: since(7, int32, -1),
  replicaNodes: array(int32),
  isrNodes: array(int32),
  offlineReplicas: since(5, array(int32), []),
})

const response = struct({
  throttleTimeMs: constant(int32, 0, 3),
  brokers: array(struct({ nodeId: int32, host: string, port: int32, rack: since(1, nullableString, null) })),
  clusterId: since(2, nullableString, null),
  controllerId: since(1, int32, -1),
  topics: array(
    struct({
      errorCode: int16,
      name: nullableString,
      topicId: since(10, uuid, ZERO_UUID),
      isInternal: since(1, bool, false),
      partitions: array(partition),
      authorizedOperations: since(8, int32, 0),
    }),
  ),
  clusterAuthorizedOperations: between(8, 10, int32, 0),
  // For clients that are to begin anew (KIP-1102), which nobody is told here.
  errorCode: constant(int16, ErrorCode.NONE, 13),
})

function describeTopic(topic: Topic, { faults }: RequestContext) {
  const partitions = topic.partitions.map((partition) => describePartition(topic.name, partition, faults))
  return { name: topic.name, topicId: topic.id, isInternal: isInternalTopic(topic.name), partitions }
}

interface TopicKey {
  readonly name: string | null
  readonly topicId: string
}

/** The brokers and the requested topics, which are created on demand. */
export const metadata = defineApi('Metadata', {
  request,
  response,
  async handle(request, context) {
    const { topics: wanted, allowAutoTopicCreation } = request
    const { broker, version, faults } = context
    const mayCreate = broker.autoCreateTopics && allowAutoTopicCreation
    // With an id the Java client gives an empty name, others none.
    const isById = ({ name, topicId }: TopicKey) => topicId !== ZERO_UUID || name === null
    const find = ({ name, topicId }: TopicKey) => {
      const known = isById({ name, topicId }) ? broker.topics.findById(topicId) : broker.topics.find(name ?? '')
      if (known) {
        faults?.check(known.name)
        return known
      }
      if (name === null || topicId !== ZERO_UUID)
        throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_ID, `no topic ${topicId}`)
      if (!mayCreate) throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, `no topic ${name}`)
      return broker.topics.create(name)
    }
    const describe = (key: TopicKey) => {
      const nothing = { ...(isById(key) ? { ...key, name: null } : key), isInternal: false, partitions: [] }
      return outcomeOf(() => describeTopic(find(key), context), nothing)
    }
    // Version 0 has no null: an empty list asks for all topics.
    const wantsAll = wanted === null || (version === 0 && wanted.length === 0)
    const topics = wantsAll
      ? await mapInTurns(broker.topics.all, (topic) => ({
          errorCode: ErrorCode.NONE,
          ...describeTopic(topic, context),
        }))
      : await mapInTurns(wanted, describe)
    const ofTopic = (name: string | null) =>
      authorizedOperations(context, request.includeTopicAuthorizedOperations && name !== null, 'TOPIC', name ?? '')
    return {
      brokers: reachableNodes(context),
      clusterId: broker.clusterId,
      controllerId: broker.nodes.controllerId,
      topics: topics.map((topic) => ({ ...topic, authorizedOperations: ofTopic(topic.name) })),
      clusterAuthorizedOperations: authorizedOperations(context, request.includeClusterAuthorizedOperations, 'CLUSTER'),
    }
  },
})
