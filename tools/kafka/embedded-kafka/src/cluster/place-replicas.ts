import { groupBy } from '../group-by.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { Node } from './nodes.ts'

/** Nodes so that neighbours are of different racks, as far as there are enough racks. */
function rackAlternating(nodes: readonly Node[]): readonly Node[] {
  const racks = [...groupBy(nodes, ({ rack }) => rack ?? '').values()]
  const longest = Math.max(0, ...racks.map((rack) => rack.length))
  return Array.from({ length: longest }, (_, row) => racks.flatMap((rack) => rack[row] ?? [])).flat()
}

/**
 * Places `factor` replicas of each partition on different nodes, the preferred leader first. As in Apache Kafka leaders go round, the
 * replicas of a partition are on as many racks as possible, and nodes that do not live are taken when there are no others.
 * @throws {ProtocolError} INVALID_REPLICATION_FACTOR when there are not so many nodes
 */
export function placeReplicas(
  nodes: readonly Node[],
  wanted: {
    readonly partitions: number
    readonly factor: number
    /** Where to begin, so that the leaders of small topics are spread, too. */
    readonly start: number
  },
): readonly (readonly number[])[] {
  checkFactor(wanted.factor, nodes.length)
  const order = rackAlternating(nodes.filter(({ isLive }) => isLive))
  const others = nodes.filter(({ isLive }) => !isLive)
  return Array.from({ length: wanted.partitions }, (_, index) => {
    const at = wanted.start + index
    // With each round, another node comes behind the leader: its partitions have not all the same followers.
    const shift = order.length > 2 ? Math.floor(at / order.length) % (order.length - 1) : 0
    const [leader, ...rest] = rotated(order, at)
    const candidates = [...rotated(rest, shift), ...others]
    const chosen = leader ? [leader] : []
    while (chosen.length < wanted.factor && candidates.length > 0) {
      const racks = new Set(chosen.map(({ rack }) => rack))
      const found = candidates.findIndex(({ rack, isLive }) => isLive && !racks.has(rack))
      chosen.push(...candidates.splice(Math.max(0, found), 1))
    }
    return chosen.map(({ id }) => id)
  })
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const at = items.length === 0 ? 0 : by % items.length
  return [...items.slice(at), ...items.slice(0, at)]
}

function checkFactor(factor: number, count: number): void {
  const problem =
    factor < 1
      ? 'Replication factor must be larger than 0.'
      : `Unable to replicate the partition ${factor} time(s): The target replication factor of ${factor} cannot be reached because only ${count} broker(s) are registered.`
  if (factor < 1 || factor > count) throw new ProtocolError(ErrorCode.INVALID_REPLICATION_FACTOR, problem)
}
