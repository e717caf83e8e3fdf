import type { Broker } from '../../broker/broker.ts'
import { requireFeature } from '../../features/require-feature.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'

const FEATURES = { consumer: 'group.version', share: 'share.version' } as const

/** @throws {ProtocolError} when another broker coordinates this group */
export function requireCoordinator(broker: Broker, groupId: string): void {
  const refusal = broker.groupRefusal(groupId)
  if (refusal !== undefined) throw new ProtocolError(refusal, 'This is not the correct coordinator.')
}

/** @throws {ProtocolError} when the cluster has no groups of this kind, or another broker coordinates this one */
export function requireProtocol(broker: Broker, kind: 'consumer' | 'share', groupId: string): void {
  requireFeature(broker.features, FEATURES[kind])
  requireCoordinator(broker, groupId)
}

/** @throws {ProtocolError} GROUP_ID_NOT_FOUND where `group` is undefined: there is none, or one of another protocol */
export function requireFound<G>(broker: Broker, kind: 'consumer' | 'share', groupId: string, group: G | undefined): G {
  if (group !== undefined) return group
  const why = broker.groups.has(groupId) ? `is not a ${kind} group` : 'not found'
  throw new ProtocolError(ErrorCode.GROUP_ID_NOT_FOUND, `Group ${groupId} ${why}.`)
}

/** @throws {ProtocolError} when another broker coordinates the share group, there is none, or it has members */
export function requireEmptyShareGroup(broker: Broker, groupId: string): void {
  requireCoordinator(broker, groupId)
  const group = requireFound(broker, 'share', groupId, broker.groups.shares.find(groupId))
  if (group.size > 0) throw new ProtocolError(ErrorCode.NON_EMPTY_GROUP, 'The group is not empty.')
}
