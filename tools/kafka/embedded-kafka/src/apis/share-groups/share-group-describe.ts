import type { Broker } from '../../broker/broker.ts'
import { requireFeature } from '../../features/require-feature.ts'
import { toList } from '../../groups/assignors/assignment.ts'
import type { ShareMember } from '../../groups/share/share-member.ts'
import { laterOutcomeOf } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import { array, bool, int16, int32, nullableString, string, uuid } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'
import { requireCoordinator } from './require-coordinator.ts'

/** The only one. */
const ASSIGNOR = 'simple'

const member = struct({
  memberId: string,
  rackId: nullableString,
  memberEpoch: int32,
  clientId: string,
  clientHost: string,
  subscribedTopicNames: array(string),
  assignment: struct({
    topicPartitions: array(struct({ topicId: uuid, topicName: string, partitions: array(int32) })),
  }),
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

function describeMember(broker: Broker, { id, epoch, topicNames, assigned, ...known }: ShareMember) {
  const topicPartitions = toList(assigned).flatMap(({ topicId, partitions }) => {
    const topic = broker.topics.findById(topicId)
    return topic ? { topicId, topicName: topic.name, partitions } : []
  })
  return {
    memberId: id,
    rackId: known.rackId,
    memberEpoch: epoch,
    clientId: known.clientId,
    clientHost: known.clientHost,
    subscribedTopicNames: topicNames,
    assignment: { topicPartitions },
  }
}

async function describe(broker: Broker, groupId: string) {
  requireFeature(broker.features, 'share.version')
  requireCoordinator(broker, groupId)
  const { state, epochs, members } = broker.groups.shares.require(groupId)
  return {
    groupState: state as string,
    groupEpoch: epochs.epoch,
    assignmentEpoch: epochs.assignmentEpoch,
    assignorName: ASSIGNOR,
    members: await mapInTurns(members, (each) => describeMember(broker, each)),
  }
}

/** What is said of a group that is not there, or not shown. */
export const NO_SHARE_GROUP = { groupState: '', groupEpoch: 0, assignmentEpoch: 0, assignorName: '', members: [] }

/** Share groups, their members and what these have (KIP-932). */
export const shareGroupDescribe = defineApi('ShareGroupDescribe', {
  request: struct({ groupIds: array(string), includeAuthorizedOperations: bool }),
  response: struct({ throttleTimeMs: constant(int32, 0), groups: array(group) }),
  handle: async ({ groupIds, includeAuthorizedOperations }, context) => ({
    groups: await mapInTurns(groupIds, async (groupId) => ({
      groupId,
      authorizedOperations: authorizedOperations(context, includeAuthorizedOperations, 'GROUP', groupId),
      ...(await laterOutcomeOf(() => describe(context.broker, groupId), NO_SHARE_GROUP)),
    })),
  }),
})
