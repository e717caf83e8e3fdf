import { findCoordinator } from '../protocol/coordinator.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { describeCluster, metadata } from '../protocol/metadata.ts'
import { failureOf } from '../protocol/protocol-error.ts'
import type { Topic } from '../topics/topic-catalog.ts'
import { ZERO_UUID } from '../wire/primitives.ts'
import { type Endpoint, endpoint, type RequestContext } from './endpoint.ts'

function node({ broker, address }: RequestContext) {
  return { nodeId: broker.nodeId, ...address }
}

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

/** Metadata: the one broker and the topics asked for, created on demand. */
export const metadataEndpoint: Endpoint = endpoint(metadata, (request, context) => {
  const { broker, version } = context
  const mayCreate = broker.autoCreateTopics && request.allowAutoTopicCreation
  const describe = (wanted: { readonly name: string | null; readonly topicId: string }) => {
    const { name, topicId } = wanted
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
  const wantsAll = request.topics === null || (version === 0 && request.topics.length === 0)
  const topics = wantsAll
    ? broker.topics.all.map((topic) => describeTopic(topic, broker.nodeId))
    : (request.topics ?? []).map(describe)
  return { brokers: [node(context)], clusterId: broker.clusterId, controllerId: broker.nodeId, topics }
})

export const describeClusterEndpoint: Endpoint = endpoint(describeCluster, (_request, context) => ({
  clusterId: context.broker.clusterId,
  controllerId: context.broker.nodeId,
  brokers: [node(context)],
}))

/** FindCoordinator: it is always this broker. */
export const findCoordinatorEndpoint: Endpoint = endpoint(findCoordinator, ({ coordinatorKeys }, context) => ({
  ...node(context),
  coordinators: coordinatorKeys.map((key) => ({ key, ...node(context) })),
}))
