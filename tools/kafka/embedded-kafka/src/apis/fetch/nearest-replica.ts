import type { Broker } from '../../broker/broker.ts'
import type { Partition } from '../../topics/partition.ts'

/** The client reads from the broker that it asked. */
export const NO_REPLICA = -1

type Place = Pick<Broker, 'isRackAware' | 'nodeId' | 'nodes'>

/**
 * The replica in sync in the rack of a client, which the leader names for it (KIP-392): the one that has most. As by Apache Kafka's
 * RackAwareReplicaSelector there is none where the leader is in that rack, or no replica there has the offset.
 */
export function nearestReplica(
  { replicas }: Pick<Partition, 'replicas'>,
  { fromOffset, rackId }: { readonly fromOffset: number; readonly rackId: string },
  { isRackAware, nodeId, nodes }: Place,
): number {
  const { leader, isr } = replicas.leadership
  const isNear = (id: number): boolean => nodes.find(id)?.rack === rackId
  if (!isRackAware || rackId === '' || leader !== nodeId || isNear(leader)) return NO_REPLICA
  const near = isr.flatMap((id) => {
    const replica = isNear(id) ? replicas.on(id) : undefined
    const hasOffset = replica !== undefined && replica.startOffset <= fromOffset && fromOffset <= replica.endOffset
    return hasOffset ? { id, endOffset: replica.endOffset } : []
  })
  near.sort((a, b) => b.endOffset - a.endOffset || b.id - a.id)
  return near[0]?.id ?? NO_REPLICA
}
