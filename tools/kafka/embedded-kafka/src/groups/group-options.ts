import type { Clock } from '../clock.ts'

/** The states of Apache Kafka's classic group protocol, under the names DescribeGroups uses. */
export type GroupState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable'

export interface GroupOptions {
  readonly id: string
  /** By which sessions and rebalances time out. */
  readonly clock: Clock
  readonly maxMembers: number
  readonly newMemberId: (clientId: string) => string
  /** Called when its members have their partitions, and when it has no member any more. */
  readonly onSettled: () => void
}
