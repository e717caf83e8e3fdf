import type { Broker } from '../broker.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { deleteGroups, describeGroups, listGroups } from '../protocol/group-admin.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

/** Groups without members that only have committed offsets are as good as empty consumer groups. */
function summary(broker: Broker, groupId: string) {
  const group = broker.groups.find(groupId)
  return { groupId, protocolType: group?.protocolType ?? '', groupState: group?.state ?? 'Empty' }
}

export const listGroupsEndpoint: Endpoint = endpoint(listGroups, ({ statesFilter, typesFilter }, { broker }) => {
  const accepts = (filter: readonly string[], value: string): boolean =>
    filter.length === 0 || filter.some((each) => each.toLowerCase() === value.toLowerCase())
  const groups = broker.groups.groupIds.map((groupId) => summary(broker, groupId))
  return {
    groups: groups.filter(({ groupState }) => accepts(statesFilter, groupState) && accepts(typesFilter, 'classic')),
  }
})

export const describeGroupsEndpoint: Endpoint = endpoint(describeGroups, ({ groups }, { broker }) => ({
  groups: groups.map((groupId) => {
    const isKnown = broker.groups.groupIds.includes(groupId)
    if (!isKnown) {
      return { errorCode: ErrorCode.NONE, groupId, groupState: 'Dead', protocolType: '', protocolData: '', members: [] }
    }
    const group = broker.groups.find(groupId)
    const protocolData = group?.state === 'Stable' ? (group.protocolName ?? '') : ''
    return {
      errorCode: ErrorCode.NONE,
      ...summary(broker, groupId),
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
  }),
}))

export const deleteGroupsEndpoint: Endpoint = endpoint(deleteGroups, ({ groupIds }, { broker }) => ({
  results: groupIds.map((groupId) => ({ groupId, errorCode: broker.groups.delete(groupId) })),
}))
