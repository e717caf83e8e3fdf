/** The states of Apache Kafka's classic group protocol, under the names DescribeGroups uses. */
export type GroupState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable'

export interface GroupOptions {
  readonly id: string
  readonly maxMembers: number
  readonly newMemberId: (clientId: string) => string
}
