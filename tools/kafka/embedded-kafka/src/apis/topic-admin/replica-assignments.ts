import type { Nodes } from '../../cluster/nodes.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'

/**
 * Checks the replicas that a client wants for partitions: brokers there are, each once, as many for all, and one of them lives.
 * @throws {ProtocolError} INVALID_REPLICA_ASSIGNMENT
 */
export function checkAssignments(
  assignments: readonly { readonly brokerIds: readonly number[] }[],
  nodes: Nodes,
): void {
  const [first] = assignments
  for (const { brokerIds } of assignments) {
    const problem = problemOf(brokerIds, nodes, first?.brokerIds.length ?? 0)
    if (problem === undefined) continue
    throw new ProtocolError(
      ErrorCode.INVALID_REPLICA_ASSIGNMENT,
      `The manual partition assignment includes ${problem}.`,
    )
  }
}

function problemOf(brokerIds: readonly number[], nodes: Nodes, count: number): string | undefined {
  if (brokerIds.length === 0) return 'an empty replica list'
  const stranger = brokerIds.find((id) => nodes.find(id) === undefined)
  if (stranger !== undefined) return `broker ${stranger}, but no such broker is registered`
  const twice = brokerIds.find((id, index) => brokerIds.indexOf(id) !== index)
  if (twice !== undefined) return `the broker ${twice} more than once`
  if (brokerIds.length !== count) return `a partition with ${brokerIds.length} replica(s), but others have ${count}`
  return brokerIds.some((id) => nodes.isLive(id)) ? undefined : 'a partition whose brokers are all down'
}
