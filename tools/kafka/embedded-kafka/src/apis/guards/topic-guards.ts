import { ErrorCode } from '../../protocol/error-code.ts'
import { isInternalTopic } from '../../topics/internal-topics.ts'
import { ZERO_UUID } from '../../wire/primitives.ts'
import { NO_ENDPOINTS, NOT_TOLD } from '../cluster/current-leader.ts'
import { metadata } from '../cluster/metadata.ts'
import type { RequestContext } from '../definition/api.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'
import { forPartitions } from '../definition/by-topic.ts'
import { topicNameOf } from '../definition/topic-key.ts'
import { fetch } from '../fetch/fetch.ts'
import { listOffsets } from '../fetch/list-offsets.ts'
import { offsetForLeaderEpoch } from '../fetch/offset-for-leader-epoch.ts'
import { NOT_APPENDED } from '../produce/append-batch.ts'
import { produce } from '../produce/produce.ts'
import { createPartitions } from '../topic-admin/create-partitions.ts'
import { createTopics } from '../topic-admin/create-topics.ts'
import { deleteRecords } from '../topic-admin/delete-records.ts'
import { deleteTopics } from '../topic-admin/delete-topics.ts'
import { describeTopicPartitions } from '../topic-admin/describe-topic-partitions.ts'
import { guardOf, type May, open, split } from './guard.ts'

const { TOPIC_AUTHORIZATION_FAILED: NOT_TOPIC } = ErrorCode
const NOT_WRITTEN = { ...NOT_APPENDED, errorMessage: null, currentLeader: NOT_TOLD }

/** By name, or by the name of the topic with this id; there being none is for the handler to say. */
function isAllowed(may: May, operation: 'READ' | 'DESCRIBE', { broker }: RequestContext) {
  return ({ name, topicId }: { readonly name: string | null; readonly topicId: string }): boolean => {
    const known = name || broker.topics.findById(topicId)?.name
    return known === undefined || may(operation, 'TOPIC', known)
  }
}

export const topicGuards = [
  guardOf(produce, async (request, { may, handle, context }) => {
    const refuse = (topics: typeof request.topics, errorCode: number) =>
      topics.map((topic) => ({
        ...topic,
        partitions: topic.partitions.map(({ index }) => ({ index, ...NOT_WRITTEN, errorCode })),
      }))
    const { transactionalId } = request
    if (transactionalId !== null && !may('WRITE', 'TRANSACTIONAL_ID', transactionalId)) {
      const topics = refuse(request.topics, ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED)
      return { topics, nodeEndpoints: NO_ENDPOINTS }
    }
    const { allowed, refused } = split(request.topics, (topic) => {
      const name = topicNameOf(context.broker, topic)
      return name === undefined || may('WRITE', 'TOPIC', name)
    })
    const answer = await handle({ ...request, topics: allowed })
    return { ...answer, topics: [...answer.topics, ...refuse(refused, NOT_TOPIC)] }
  }),
  // Itself it looks at each partition, as a session may name few of those that it reads.
  open(fetch),
  guardOf(listOffsets, async (request, { may, handle }) => {
    const { allowed, refused } = split(request.topics, ({ name }) => may('DESCRIBE', 'TOPIC', name))
    const { topics } = await handle({ ...request, topics: allowed })
    const nothing = { errorCode: NOT_TOPIC, timestamp: -1, offset: -1, leaderEpoch: -1 }
    return { topics: [...topics, ...forPartitions(refused, ({ index }) => ({ index, ...nothing }))] }
  }),
  guardOf(offsetForLeaderEpoch, async (request, { may, handle }) => {
    const { allowed, refused } = split(request.topics, ({ name }) => may('DESCRIBE', 'TOPIC', name))
    const { topics } = await handle({ ...request, topics: allowed })
    const nothing = { errorCode: NOT_TOPIC, leaderEpoch: -1, endOffset: -1 }
    return { topics: [...topics, ...forPartitions(refused, ({ index }) => ({ index, ...nothing }))] }
  }),
  guardOf(metadata, async (request, { may, handle, context }) => {
    const { broker, version } = context
    const wanted = request.topics
    const authorizedOps = { authorizedOperations: authorizedOperations(context, false, 'TOPIC') }
    // Version 0 has no null: an empty list asks for all topics, of which those that may not be seen are left out.
    if (wanted === null || (version === 0 && wanted.length === 0)) {
      const answer = await handle(request)
      return { ...answer, topics: answer.topics.filter(({ name }) => name === null || may('DESCRIBE', 'TOPIC', name)) }
    }
    const mayCreate = (name: string) =>
      !broker.autoCreateTopics ||
      !request.allowAutoTopicCreation ||
      broker.topics.find(name) !== undefined ||
      may('CREATE', 'CLUSTER') ||
      may('CREATE', 'TOPIC', name)
    const { allowed, refused } = split(
      wanted,
      (key) => isAllowed(may, 'DESCRIBE', context)(key) && (key.name === null || mayCreate(key.name)),
    )
    const answer = await handle({ ...request, topics: allowed })
    const topics = version === 0 && allowed.length === 0 ? [] : answer.topics
    // Who may not see a topic is not told that its id is one.
    const answers = refused.map(({ name, topicId }) => ({
      errorCode: name === null ? ErrorCode.UNKNOWN_TOPIC_ID : NOT_TOPIC,
      name,
      topicId: name === null ? topicId : ZERO_UUID,
      isInternal: name !== null && isInternalTopic(name),
      partitions: [],
      ...authorizedOps,
    }))
    return { ...answer, topics: [...topics, ...answers] }
  }),
  guardOf(describeTopicPartitions, async (request, { may, handle, context }) => {
    const isSeen = ({ name }: { readonly name: string }) => may('DESCRIBE', 'TOPIC', name)
    const given = request.topics.length === 0 ? context.broker.topics.all : request.topics
    const { allowed, refused } = split(
      given.map(({ name }) => ({ name })),
      isSeen,
    )
    const told = request.topics.length === 0 ? [] : refused
    const answers = told.map(({ name }) => ({
      errorCode: NOT_TOPIC,
      name,
      topicId: ZERO_UUID,
      isInternal: isInternalTopic(name),
      partitions: [],
      authorizedOperations: authorizedOperations(context, false, 'TOPIC'),
    }))
    if (allowed.length === 0) return { topics: answers, nextCursor: null }
    const answer = await handle({ ...request, topics: allowed })
    return { ...answer, topics: [...answer.topics, ...answers] }
  }),
  guardOf(createTopics, async (request, { may, handle }) => {
    const mayAll = may('CREATE', 'CLUSTER')
    const { allowed, refused } = split(request.topics, ({ name }) => mayAll || may('CREATE', 'TOPIC', name))
    const { topics } = await handle({ ...request, topics: allowed })
    const nothing = { numPartitions: -1, replicationFactor: -1, configs: null, topicConfigErrorCode: 0 }
    const seen = topics.map((topic) =>
      may('DESCRIBE_CONFIGS', 'TOPIC', topic.name)
        ? topic
        : { ...topic, ...nothing, topicConfigErrorCode: topic.errorCode === 0 ? NOT_TOPIC : 0 },
    )
    const answers = refused.map(({ name }) => ({
      name,
      errorCode: NOT_TOPIC,
      errorMessage: 'Authorization failed.',
      topicId: ZERO_UUID,
      ...nothing,
    }))
    return { topics: [...seen, ...answers] }
  }),
  guardOf(deleteTopics, async (request, { may, handle, context }) => {
    const { broker } = context
    const asked = [...request.topics, ...request.topicNames.map((name) => ({ name, topicId: ZERO_UUID }))]
    const nameOf = (key: { name: string | null; topicId: string }) =>
      key.name ?? broker.topics.findById(key.topicId)?.name
    const { allowed, refused } = split(asked, (key) => {
      const name = nameOf(key)
      return name === undefined || may('DELETE', 'TOPIC', name)
    })
    const { topics } = await handle({ ...request, topics: allowed, topicNames: [] })
    // The name behind an id is told only to who may see it.
    const answers = refused.map((key) => {
      const name = nameOf(key)
      const isTold = key.name !== null || (name !== undefined && may('DESCRIBE', 'TOPIC', name))
      return { name: isTold ? (name ?? null) : null, topicId: key.topicId, errorCode: NOT_TOPIC }
    })
    return { topics: [...topics, ...answers] }
  }),
  guardOf(deleteRecords, async (request, { may, handle }) => {
    const { allowed, refused } = split(request.topics, ({ name }) => may('DELETE', 'TOPIC', name))
    const { topics } = await handle({ ...request, topics: allowed })
    const nothing = { lowWatermark: -1, errorCode: NOT_TOPIC }
    return { topics: [...topics, ...forPartitions(refused, ({ index }) => ({ index, ...nothing }))] }
  }),
  guardOf(createPartitions, async (request, { may, handle }) => {
    const { allowed, refused } = split(request.topics, ({ name }) => may('ALTER', 'TOPIC', name))
    const { results } = await handle({ ...request, topics: allowed })
    const answers = refused.map(({ name }) => ({ name, errorCode: NOT_TOPIC, errorMessage: null }))
    return { results: [...results, ...answers] }
  }),
]
