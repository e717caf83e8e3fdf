import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'

/**
 * Checks the replicas that a client wants for partitions: one each, on this broker, for there is no other.
 * @throws {ProtocolError} INVALID_REPLICA_ASSIGNMENT
 */
export function checkAssignments(
  assignments: readonly { readonly brokerIds: readonly number[] }[],
  nodeId: number,
): void {
  for (const { brokerIds } of assignments) {
    const problem = problemOf(brokerIds, nodeId)
    if (problem === undefined) continue
    throw new ProtocolError(
      ErrorCode.INVALID_REPLICA_ASSIGNMENT,
      `The manual partition assignment includes ${problem}.`,
    )
  }
}

function problemOf(brokerIds: readonly number[], nodeId: number): string | undefined {
  if (brokerIds.length === 0) return 'an empty replica list'
  const stranger = brokerIds.find((id) => id !== nodeId)
  if (stranger !== undefined) return `broker ${stranger}, but no such broker is registered`
  return brokerIds.length > 1 ? `the broker ${nodeId} more than once` : undefined
}
