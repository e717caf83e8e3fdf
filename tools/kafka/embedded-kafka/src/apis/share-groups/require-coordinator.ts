import type { Broker } from '../../broker/broker.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'

/** @throws {ProtocolError} when another broker coordinates this group */
export function requireCoordinator(broker: Broker, groupId: string): void {
  const refusal = broker.groupRefusal(groupId)
  if (refusal !== undefined) throw new ProtocolError(refusal, 'This is not the correct coordinator.')
}
