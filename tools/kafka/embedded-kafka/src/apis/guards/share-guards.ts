import { ErrorCode } from '../../protocol/error-code.ts'
import { ZERO_UUID } from '../../wire/primitives.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'
import { NO_GROUP } from '../modern-groups/describe-modern-groups.ts'
import { NO_ANSWER } from '../modern-groups/heartbeat-response.ts'
import { alterShareGroupOffsets } from '../share-groups/alter-share-group-offsets.ts'
import { deleteShareGroupOffsets } from '../share-groups/delete-share-group-offsets.ts'
import { describeShareGroupOffsets } from '../share-groups/describe-share-group-offsets.ts'
import { NOTHING_ACKNOWLEDGED, shareAcknowledge } from '../share-groups/share-acknowledge.ts'
import { NOTHING_FETCHED, shareFetch } from '../share-groups/share-fetch.ts'
import { shareGroupDescribe } from '../share-groups/share-group-describe.ts'
import { shareGroupHeartbeat } from '../share-groups/share-group-heartbeat.ts'
import { forGroup, guardOf, split } from './guard.ts'

const GROUP_REFUSAL = { errorCode: ErrorCode.GROUP_AUTHORIZATION_FAILED, errorMessage: 'Group authorization failed.' }
const TOPIC_REFUSAL = { errorCode: ErrorCode.TOPIC_AUTHORIZATION_FAILED, errorMessage: 'Topic authorization failed.' }
const TOPICS_NOT_SHOWN = 'The group has described topic(s) that the client is not authorized to describe.'

export const shareGuards = [
  guardOf(shareGroupHeartbeat, (request, { may, handle }) => {
    if (!may('READ', 'GROUP', request.groupId)) return { ...GROUP_REFUSAL, errorMessage: null, ...NO_ANSWER }
    const isSeen = (request.subscribedTopicNames ?? []).every((name) => may('DESCRIBE', 'TOPIC', name))
    return isSeen ? handle(request) : { ...TOPIC_REFUSAL, errorMessage: null, ...NO_ANSWER }
  }),
  guardOf(shareGroupDescribe, async (request, { may, handle, context }) => {
    const { allowed, refused } = split(request.groupIds, (groupId) => may('DESCRIBE', 'GROUP', groupId))
    const { groups } = await handle({ ...request, groupIds: allowed })
    const seen = groups.map((group) => {
      const topics = group.members.flatMap(({ assignment }) => assignment.topicPartitions)
      const isShown = topics.every(({ topicName }) => may('DESCRIBE', 'TOPIC', topicName))
      return isShown ? group : { ...group, ...NO_GROUP, ...TOPIC_REFUSAL, errorMessage: TOPICS_NOT_SHOWN }
    })
    const notAsked = { errorMessage: null, authorizedOperations: authorizedOperations(context, false, 'GROUP') }
    const answers = refused.map((groupId) => ({ ...NO_GROUP, ...GROUP_REFUSAL, ...notAsked, groupId }))
    return { groups: [...seen, ...answers] }
  }),
  // These two look at each partition themselves, as a session may name few of those that it reads.
  forGroup(shareFetch, () => ({ ...GROUP_REFUSAL, ...NOTHING_FETCHED })),
  forGroup(shareAcknowledge, () => ({ ...GROUP_REFUSAL, ...NOTHING_ACKNOWLEDGED })),
  guardOf(describeShareGroupOffsets, async (request, { may, handle }) => {
    const isSeen = ({ name }: { readonly name: string }): boolean => may('DESCRIBE', 'TOPIC', name)
    const { allowed, refused } = split(request.groups, ({ groupId }) => may('DESCRIBE', 'GROUP', groupId))
    const { groups } = await handle({
      groups: allowed.map((group) => ({ ...group, topics: group.topics?.filter(isSeen) ?? null })),
    })
    const seen = groups.map((group, at) => {
      const hidden = (allowed[at]?.topics ?? []).filter((topic) => !isSeen(topic))
      const notShown = hidden.map(({ name, partitions }) => ({
        name,
        topicId: ZERO_UUID,
        partitions: partitions.map((index) => ({ index, startOffset: -1, leaderEpoch: 0, ...TOPIC_REFUSAL })),
      }))
      return { ...group, topics: [...group.topics.filter(isSeen), ...notShown] }
    })
    return { groups: [...seen, ...refused.map(({ groupId }) => ({ groupId, topics: [], ...GROUP_REFUSAL }))] }
  }),
  guardOf(alterShareGroupOffsets, async (request, { may, handle }) => {
    if (!may('READ', 'GROUP', request.groupId)) return { ...GROUP_REFUSAL, topics: [] }
    const { allowed, refused } = split(request.topics, ({ name }) => may('READ', 'TOPIC', name))
    const answer = await handle({ ...request, topics: allowed })
    const answers = refused.map(({ name, partitions }) => ({
      name,
      topicId: ZERO_UUID,
      partitions: partitions.map(({ index }) => ({ index, ...TOPIC_REFUSAL })),
    }))
    return { ...answer, topics: [...answer.topics, ...answers] }
  }),
  guardOf(deleteShareGroupOffsets, async (request, { may, handle }) => {
    if (!may('DELETE', 'GROUP', request.groupId)) return { ...GROUP_REFUSAL, topics: [] }
    const { allowed, refused } = split(request.topics, ({ name }) => may('READ', 'TOPIC', name))
    const answer = await handle({ ...request, topics: allowed })
    const answers = refused.map(({ name }) => ({ name, topicId: ZERO_UUID, ...TOPIC_REFUSAL }))
    return { ...answer, topics: [...answer.topics, ...answers] }
  }),
]
