import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import { requireCoordinator } from './require-coordinator.ts'

/** @throws {ProtocolError} when another broker coordinates the group, there is none, or it has members */
export function requireEmptyGroup(broker: Broker, groupId: string): void {
  requireCoordinator(broker, groupId)
  if (broker.groups.shares.require(groupId).size === 0) return
  throw new ProtocolError(ErrorCode.NON_EMPTY_GROUP, 'The group is not empty.')
}
