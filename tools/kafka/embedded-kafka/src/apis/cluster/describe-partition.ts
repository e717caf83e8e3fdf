import type { RequestFaults } from '../../faults/request-faults.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import type { Partition } from '../../topics/partition.ts'

const NO_LEADER = -1

/** Where a partition is and who leads it, as clients are told. */
export function describePartition(topic: string, { index, replicas }: Partition, faults: RequestFaults | undefined) {
  const { leader, epoch, replicas: all, isr } = replicas.leadership
  const leaderId = faults?.isLeaderless(topic, index) ? NO_LEADER : leader
  return {
    errorCode: leaderId < 0 ? ErrorCode.LEADER_NOT_AVAILABLE : ErrorCode.NONE,
    partitionIndex: index,
    leaderId,
    leaderEpoch: epoch,
    replicaNodes: all,
    isrNodes: isr,
    offlineReplicas: replicas.offline,
  }
}
