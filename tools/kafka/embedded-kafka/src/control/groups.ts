import type { Broker } from '../broker/broker.ts'

/** How far a group is in one partition. */
export interface PartitionLag {
  readonly topic: string
  readonly partition: number
  /** The committed offset: of the next record to read. */
  readonly offset: number
  /** Records after it. */
  readonly lag: number
}

export interface GroupSummary {
  readonly groupId: string
  /** As in DescribeGroups: Empty, PreparingRebalance, CompletingRebalance, Stable, Dead; of newer groups also Assigning, Reconciling. */
  readonly state: string
  readonly members: number
  /** Of all its partitions. */
  readonly lag: number
}

export interface GroupDetails extends GroupSummary {
  readonly partitions: readonly PartitionLag[]
}

/** One group with everything it has committed; undefined when there is none. */
export function describeGroup({ groups, topics }: Broker, groupId: string): GroupDetails | undefined {
  const modern = groups.consumers.find(groupId) ?? groups.shares.find(groupId)
  const group = groups.find(groupId)
  if (!groups.groupIds.includes(groupId)) return undefined
  const partitions = groups.offsets.topicsOf(groupId).flatMap((topic) =>
    topic.partitions.map((partition): PartitionLag => {
      const offset = groups.offsets.find(groupId, topic.name, partition)?.offset ?? 0
      const end = topics.find(topic.name)?.partitions[partition]?.highWatermark ?? offset
      return { topic: topic.name, partition, offset, lag: Math.max(0, end - offset) }
    }),
  )
  partitions.sort((a, b) => a.topic.localeCompare(b.topic) || a.partition - b.partition)
  const lag = partitions.reduce((sum, each) => sum + each.lag, 0)
  const { state = 'Empty', members = [] } = modern ?? group ?? {}
  return { groupId, state, members: members.length, lag, partitions }
}

/** The description of a group that does not exist. */
export function goneGroup(groupId: string): GroupDetails {
  return { groupId, state: 'Dead', members: 0, lag: 0, partitions: [] }
}

/** All groups that have members or committed offsets. */
export function listGroups(broker: Broker): readonly GroupSummary[] {
  return broker.groups.groupIds.flatMap((groupId) => {
    const details = describeGroup(broker, groupId)
    if (details === undefined) return []
    const { partitions, ...summary } = details
    return summary
  })
}
