import type { Broker } from '../../broker/broker.ts'

/** A classic group that has committed offsets but no members counts as an empty consumer group. */
export function groupSummary(broker: Broker, groupId: string) {
  const consumers = broker.groups.consumers.find(groupId)
  if (consumers) return { groupId, protocolType: 'consumer', groupState: consumers.state, groupType: 'consumer' }
  const shares = broker.groups.shares.find(groupId)
  if (shares) return { groupId, protocolType: 'share', groupState: shares.state, groupType: 'share' }
  const group = broker.groups.find(groupId)
  return {
    groupId,
    protocolType: group?.protocol.protocolType ?? '',
    groupState: group?.state ?? 'Empty',
    groupType: 'classic',
  }
}
