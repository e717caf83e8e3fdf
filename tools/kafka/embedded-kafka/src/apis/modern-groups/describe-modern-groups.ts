import type { Broker } from '../../broker/broker.ts'
import { type Assignment, toList } from '../../groups/assignors/assignment.ts'
import type { ModernGroup } from '../../groups/modern/modern-group.ts'
import type { ModernMember } from '../../groups/modern/modern-member.ts'
import { laterOutcomeOf } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import type { Codec } from '../../wire/codec.ts'
import { array, bool, int16, int32, nullableString, string, uuid } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import type { RequestContext } from '../definition/api.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'

export const describeRequest = struct({ groupIds: array(string), includeAuthorizedOperations: bool })

export const assignment = struct({
  topicPartitions: array(struct({ topicId: uuid, topicName: string, partitions: array(int32) })),
})

export const describeResponse = <M>(member: Codec<M>) =>
  struct({
    throttleTimeMs: constant(int32, 0),
    groups: array(
      struct({
        errorCode: int16,
        errorMessage: nullableString,
        groupId: string,
        groupState: string,
        groupEpoch: int32,
        assignmentEpoch: int32,
        assignorName: string,
        members: array(member),
        authorizedOperations: int32,
      }),
    ),
  })

/** The description of a group that is not there, or not shown. */
export const NO_GROUP = { groupState: '', groupEpoch: 0, assignmentEpoch: 0, assignorName: '', members: [] }

/** An assignment with the names of its topics, as far as they are still there. */
export function named(broker: Broker, of: Assignment) {
  const topicPartitions = toList(of).flatMap(({ topicId, partitions }) => {
    const topic = broker.topics.findById(topicId)
    return topic ? { topicId, topicName: topic.name, partitions } : []
  })
  return { topicPartitions }
}

/** The fields of a member that both protocols have. */
export function describeMember(broker: Broker, member: ModernMember) {
  return {
    memberId: member.id,
    rackId: member.rackId,
    memberEpoch: member.epoch,
    clientId: member.clientId,
    clientHost: member.clientHost,
    subscribedTopicNames: member.topicNames,
    assignment: named(broker, member.assigned),
  }
}

/** Describes groups one after the other; `find` throws where there is none to describe. */
export function describeGroups<M extends ModernMember, D>(
  { groupIds, includeAuthorizedOperations }: { groupIds: readonly string[]; includeAuthorizedOperations: boolean },
  context: RequestContext,
  how: {
    readonly find: (groupId: string) => ModernGroup<M> & { readonly assignorName: string }
    readonly describe: (member: M) => D
  },
) {
  return mapInTurns(groupIds, async (groupId) => ({
    groupId,
    authorizedOperations: authorizedOperations(context, includeAuthorizedOperations, 'GROUP', groupId),
    ...(await laterOutcomeOf(async () => {
      const { state, epochs, assignorName, members } = how.find(groupId)
      return {
        groupState: state,
        groupEpoch: epochs.epoch,
        assignmentEpoch: epochs.assignmentEpoch,
        assignorName,
        members: await mapInTurns(members, how.describe),
      }
    }, NO_GROUP)),
  }))
}
