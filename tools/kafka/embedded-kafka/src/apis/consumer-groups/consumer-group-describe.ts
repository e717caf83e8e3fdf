import type { Broker } from '../../broker/broker.ts'
import { requireFeature } from '../../features/require-feature.ts'
import { type Assignment, toList } from '../../groups/assignors/assignment.ts'
import type { ConsumerMember } from '../../groups/consumer/consumer-member.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { laterOutcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import { array, bool, int8, int16, int32, nullableString, string, uuid } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'

/** The protocol's number for a member that speaks the newer protocol itself. */
const CONSUMER_MEMBER = 1

const assignment = struct({
  topicPartitions: array(struct({ topicId: uuid, topicName: string, partitions: array(int32) })),
})

const member = struct({
  memberId: string,
  instanceId: nullableString,
  rackId: nullableString,
  memberEpoch: int32,
  clientId: string,
  clientHost: string,
  subscribedTopicNames: array(string),
  subscribedTopicRegex: nullableString,
  assignment,
  targetAssignment: assignment,
  memberType: since(1, int8, CONSUMER_MEMBER),
})

const group = struct({
  errorCode: int16,
  errorMessage: nullableString,
  groupId: string,
  groupState: string,
  groupEpoch: int32,
  assignmentEpoch: int32,
  assignorName: string,
  members: array(member),
  authorizedOperations: int32,
})

/** With the names of topics, as far as they are still there. */
function named(broker: Broker, of: Assignment) {
  const topicPartitions = toList(of).flatMap(({ topicId, partitions }) => {
    const topic = broker.topics.findById(topicId)
    return topic ? { topicId, topicName: topic.name, partitions } : []
  })
  return { topicPartitions }
}

function describeMember(
  broker: Broker,
  { id, epoch, topicNames, topicRegex, assigned, target, ...known }: ConsumerMember,
) {
  return {
    memberId: id,
    instanceId: known.instanceId,
    rackId: known.rackId,
    memberEpoch: epoch,
    clientId: known.clientId,
    clientHost: known.clientHost,
    subscribedTopicNames: topicNames,
    subscribedTopicRegex: topicRegex,
    assignment: named(broker, assigned),
    targetAssignment: named(broker, target),
    memberType: CONSUMER_MEMBER,
  }
}

async function describe(broker: Broker, groupId: string) {
  requireFeature(broker.features, 'group.version')
  const refusal = broker.groupRefusal(groupId)
  if (refusal !== undefined) throw new ProtocolError(refusal, 'This is not the correct coordinator.')
  const found = broker.groups.consumers.find(groupId)
  if (!found) {
    const why = broker.groups.has(groupId) ? 'is not a consumer group' : 'not found'
    throw new ProtocolError(ErrorCode.GROUP_ID_NOT_FOUND, `Group ${groupId} ${why}.`)
  }
  return {
    groupState: found.state as string,
    groupEpoch: found.epochs.epoch,
    assignmentEpoch: found.epochs.assignmentEpoch,
    assignorName: found.assignorName,
    members: await mapInTurns(found.members, (each) => describeMember(broker, each)),
  }
}

/** What is said of a group that is not there, or not shown. */
export const NO_GROUP = { groupState: '', groupEpoch: 0, assignmentEpoch: 0, assignorName: '', members: [] }

/** Groups of the newer protocol (KIP-848); for others clients then ask DescribeGroups. */
export const consumerGroupDescribe = defineApi('ConsumerGroupDescribe', {
  request: struct({ groupIds: array(string), includeAuthorizedOperations: bool }),
  response: struct({ throttleTimeMs: constant(int32, 0), groups: array(group) }),
  handle: async ({ groupIds, includeAuthorizedOperations }, context) => ({
    groups: await mapInTurns([...new Set(groupIds)], async (groupId) => ({
      groupId,
      authorizedOperations: authorizedOperations(context, includeAuthorizedOperations, 'GROUP', groupId),
      ...(await laterOutcomeOf(() => describe(context.broker, groupId), NO_GROUP)),
    })),
  }),
})
