import { failedJoin, failedSync } from '../../groups/join-and-sync.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { offsetCommit } from '../committed-offsets/offset-commit.ts'
import { offsetDelete } from '../committed-offsets/offset-delete.ts'
import { offsetFetch } from '../committed-offsets/offset-fetch.ts'
import { consumerGroupDescribe } from '../consumer-groups/consumer-group-describe.ts'
import { consumerGroupHeartbeat } from '../consumer-groups/consumer-group-heartbeat.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'
import { forPartitions } from '../definition/by-topic.ts'
import { deleteGroups } from '../group-admin/delete-groups.ts'
import { describeGroups } from '../group-admin/describe-groups.ts'
import { listGroups } from '../group-admin/list-groups.ts'
import { heartbeat } from '../membership/heartbeat.ts'
import { joinGroup } from '../membership/join-group.ts'
import { leaveGroup } from '../membership/leave-group.ts'
import { syncGroup } from '../membership/sync-group.ts'
import { NO_GROUP } from '../modern-groups/describe-modern-groups.ts'
import { NO_ANSWER } from '../modern-groups/heartbeat-response.ts'
import { forGroup, guardOf, type May, split } from './guard.ts'

const { GROUP_AUTHORIZATION_FAILED: NOT_GROUP, TOPIC_AUTHORIZATION_FAILED: NOT_TOPIC } = ErrorCode
const refusedAs = (errorCode: number) => (partition: { readonly index: number }) => ({
  index: partition.index,
  errorCode,
})

const TOPICS_NOT_SHOWN = 'The group has topics that the client is not authorized to describe.'
const NO_OFFSET = { offset: -1, leaderEpoch: -1, metadata: '' }

type Wanted = readonly { readonly name: string; readonly partitions: readonly number[] }[]

/** Offsets of the topics that the client may see; the others are refused, or left out where all were asked for. */
function splitOffsets(topics: Wanted | null, may: May) {
  const { allowed, refused } = split(topics ?? [], ({ name }) => may('DESCRIBE', 'TOPIC', name))
  const answers = forPartitions(refused, (index) => ({ index, ...NO_OFFSET, errorCode: NOT_TOPIC }))
  return { allowed: topics === null ? null : allowed, answers }
}

const isSeen = (may: May) => (topic: { readonly name: string }) => may('DESCRIBE', 'TOPIC', topic.name)

export const groupGuards = [
  forGroup(joinGroup, ({ memberId }) => ({ ...failedJoin(NOT_GROUP, memberId), protocolName: '' })),
  forGroup(syncGroup, () => failedSync(NOT_GROUP)),
  forGroup(heartbeat, () => ({ errorCode: NOT_GROUP })),
  forGroup(leaveGroup, () => ({ errorCode: NOT_GROUP, members: [] })),
  guardOf(describeGroups, async (request, { may, handle, context }) => {
    const { allowed, refused } = split(request.groups, (groupId) => may('DESCRIBE', 'GROUP', groupId))
    const { groups } = await handle({ ...request, groups: allowed })
    const nothing = { errorMessage: null, groupState: '', protocolType: '', protocolData: '', members: [] }
    const notAsked = { authorizedOperations: authorizedOperations(context, false, 'GROUP') }
    const answers = refused.map((groupId) => ({ errorCode: NOT_GROUP, groupId, ...nothing, ...notAsked }))
    return { groups: [...groups, ...answers] }
  }),
  guardOf(consumerGroupHeartbeat, (request, { may, handle, context }) => {
    if (!may('READ', 'GROUP', request.groupId)) return { errorCode: NOT_GROUP, errorMessage: null, ...NO_ANSWER }
    const { subscribedTopicNames, subscribedTopicRegex } = request
    // What an expression matches is found later: it takes sight of all topics.
    const matched = subscribedTopicRegex ? context.broker.topics.all.map(({ name }) => name) : []
    const isSeen = [...(subscribedTopicNames ?? []), ...matched].every((name) => may('DESCRIBE', 'TOPIC', name))
    return isSeen ? handle(request) : { errorCode: NOT_TOPIC, errorMessage: null, ...NO_ANSWER }
  }),
  guardOf(consumerGroupDescribe, async (request, { may, handle, context }) => {
    const { allowed, refused } = split(request.groupIds, (groupId) => may('DESCRIBE', 'GROUP', groupId))
    const { groups } = await handle({ ...request, groupIds: allowed })
    const isShown = ({ members }: (typeof groups)[number]) =>
      members
        .flatMap(({ assignment, targetAssignment }) => [assignment, targetAssignment])
        .every(({ topicPartitions }) => topicPartitions.every(({ topicName }) => may('DESCRIBE', 'TOPIC', topicName)))
    const seen = groups.map((group) =>
      isShown(group) ? group : { ...group, ...NO_GROUP, errorCode: NOT_TOPIC, errorMessage: TOPICS_NOT_SHOWN },
    )
    const notAsked = { errorMessage: null, authorizedOperations: authorizedOperations(context, false, 'GROUP') }
    const answers = refused.map((groupId) => ({ ...NO_GROUP, errorCode: NOT_GROUP, groupId, ...notAsked }))
    return { groups: [...seen, ...answers] }
  }),
  guardOf(listGroups, async (request, { may, handle }) => {
    const answer = await handle(request)
    if (may('DESCRIBE', 'CLUSTER')) return answer
    return { ...answer, groups: answer.groups.filter(({ groupId }) => may('DESCRIBE', 'GROUP', groupId)) }
  }),
  guardOf(deleteGroups, async (request, { may, handle }) => {
    const { allowed, refused } = split(request.groupIds, (groupId) => may('DELETE', 'GROUP', groupId))
    const { results } = await handle({ ...request, groupIds: allowed })
    return { results: [...results, ...refused.map((groupId) => ({ groupId, errorCode: NOT_GROUP }))] }
  }),
  guardOf(offsetCommit, async (request, { may, handle }) => {
    if (!may('READ', 'GROUP', request.groupId)) return { topics: forPartitions(request.topics, refusedAs(NOT_GROUP)) }
    const { allowed, refused } = split(request.topics, ({ name }) => may('READ', 'TOPIC', name))
    const { topics } = await handle({ ...request, topics: allowed })
    return { topics: [...topics, ...forPartitions(refused, refusedAs(NOT_TOPIC))] }
  }),
  guardOf(offsetDelete, async (request, { may, handle }) => {
    if (!may('DELETE', 'GROUP', request.groupId)) return { errorCode: NOT_GROUP, topics: [] }
    const { allowed, refused } = split(request.topics, ({ name }) => may('READ', 'TOPIC', name))
    const answer = await handle({ ...request, topics: allowed })
    if (answer.errorCode !== ErrorCode.NONE) return answer
    return { ...answer, topics: [...answer.topics, ...forPartitions(refused, refusedAs(NOT_TOPIC))] }
  }),
  guardOf(offsetFetch, async (request, { may, handle, context }) => {
    if (context.version < 8) {
      const refusedAt = (index: number) => ({ index, ...NO_OFFSET, errorCode: NOT_GROUP })
      if (!may('DESCRIBE', 'GROUP', request.groupId)) {
        // Version 1 has no place for the error but the partitions.
        const topics = context.version < 2 ? forPartitions(request.topics ?? [], refusedAt) : []
        return { topics, errorCode: NOT_GROUP, groups: [] }
      }
      const { allowed, answers } = splitOffsets(request.topics, may)
      const answer = await handle({ ...request, topics: allowed })
      return { ...answer, topics: [...answer.topics.filter(isSeen(may)), ...answers] }
    }
    const { allowed, refused } = split(request.groups, ({ groupId }) => may('DESCRIBE', 'GROUP', groupId))
    const parts = allowed.map((group) => ({ group, ...splitOffsets(group.topics, may) }))
    const answer = await handle({
      ...request,
      groups: parts.map((part) => ({ ...part.group, topics: part.allowed })),
    })
    const groups = answer.groups.map((group, at) => ({
      ...group,
      topics: [...group.topics.filter(isSeen(may)), ...(parts[at]?.answers ?? [])],
    }))
    const answers = refused.map(({ groupId }) => ({ groupId, topics: [], errorCode: NOT_GROUP }))
    return { ...answer, groups: [...groups, ...answers] }
  }),
]
