import { ErrorCode } from '../../protocol/error-code.ts'
import { mapInTurns } from '../../turn.ts'
import { array, bool, bytes, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi, type RequestContext } from '../definition/api.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'
import { groupSummary } from './group-summary.ts'

const response = struct({
  throttleTimeMs: constant(int32, 0, 1),
  groups: array(
    struct({
      errorCode: int16,
      errorMessage: since(6, nullableString, null),
      groupId: string,
      groupState: string,
      protocolType: string,
      protocolData: string,
      members: array(
        struct({
          memberId: string,
          groupInstanceId: since(4, nullableString, null),
          clientId: string,
          clientHost: string,
          memberMetadata: bytes,
          memberAssignment: bytes,
        }),
      ),
      authorizedOperations: since(3, int32, 0),
    }),
  ),
})

/** Since this version there is an error for groups that are not there (KIP-1043). */
const NOT_FOUND_VERSION = 6

/** Apache Kafka answers for a group that it does not know, or of the newer protocol, as for one that is dead. */
function describe({ broker, version }: RequestContext, groupId: string) {
  const nothing = { errorMessage: null, groupId, groupState: '', protocolType: '', protocolData: '', members: [] }
  const refusal = broker.groupRefusal(groupId)
  if (refusal !== undefined) return { ...nothing, errorCode: refusal }
  const isOther =
    broker.groups.consumers.find(groupId) !== undefined || broker.groups.shares.find(groupId) !== undefined
  if (isOther || !broker.groups.has(groupId)) {
    const dead = { ...nothing, errorCode: ErrorCode.NONE, groupState: 'Dead' }
    if (version < NOT_FOUND_VERSION) return dead
    const errorMessage = isOther ? `Group ${groupId} is not a classic group.` : `Group ${groupId} not found.`
    return { ...dead, errorCode: ErrorCode.GROUP_ID_NOT_FOUND, errorMessage }
  }
  const group = broker.groups.find(groupId)
  const protocolData = group?.state === 'Stable' ? (group.protocol.protocolName ?? '') : ''
  return {
    errorCode: ErrorCode.NONE,
    errorMessage: null,
    ...groupSummary(broker, groupId),
    protocolData,
    members: (group?.members ?? []).map((member) => ({
      memberId: member.id,
      groupInstanceId: member.instanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      memberMetadata: member.metadataFor(protocolData),
      memberAssignment: member.assignment,
    })),
  }
}

export const describeGroups = defineApi('DescribeGroups', {
  request: struct({ groups: array(string), includeAuthorizedOperations: since(3, bool, false) }),
  response,
  handle: async ({ groups, includeAuthorizedOperations }, context) => ({
    groups: await mapInTurns(groups, (groupId) => ({
      ...describe(context, groupId),
      authorizedOperations: authorizedOperations(context, includeAuthorizedOperations, 'GROUP', groupId),
    })),
  }),
})
