import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { mapInTurns } from '../../turn.ts'
import { array, bool, bytes, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'
import { groupSummary } from './group-summary.ts'

const response = struct({
  throttleTimeMs: constant(int32, 0, 1),
  groups: array(
    struct({
      errorCode: int16,
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

/** Apache Kafka answers for a group that it does not know, or of the newer protocol, as for one that is dead. */
function describe(broker: Broker, groupId: string) {
  if (!broker.groups.has(groupId) || broker.groups.consumers.find(groupId)) {
    return { errorCode: ErrorCode.NONE, groupId, groupState: 'Dead', protocolType: '', protocolData: '', members: [] }
  }
  const group = broker.groups.find(groupId)
  const protocolData = group?.state === 'Stable' ? (group.protocol.protocolName ?? '') : ''
  return {
    errorCode: ErrorCode.NONE,
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

export const describeGroups = defineApi({
  key: 15,
  name: 'DescribeGroups',
  minVersion: 0,
  maxVersion: 5,
  flexibleSince: 5,
  request: struct({ groups: array(string), includeAuthorizedOperations: since(3, bool, false) }),
  response,
  handle: async ({ groups, includeAuthorizedOperations }, context) => ({
    groups: await mapInTurns(groups, (groupId) => ({
      ...describe(context.broker, groupId),
      authorizedOperations: authorizedOperations(context, includeAuthorizedOperations, 'GROUP', groupId),
    })),
  }),
})
