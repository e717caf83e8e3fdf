import type { Broker } from '../../broker/broker.ts'

/** A group that has committed offsets but no members counts as an empty consumer group. */
export function groupSummary(broker: Broker, groupId: string) {
  const group = broker.groups.find(groupId)
  return { groupId, protocolType: group?.protocol.protocolType ?? '', groupState: group?.state ?? 'Empty' }
}
