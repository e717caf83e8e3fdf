/** A group's position in one partition. */
export interface CommittedOffset {
  readonly offset: number
  readonly leaderEpoch: number
  readonly metadata: string | null
}

export interface PartitionOffset extends CommittedOffset {
  readonly topic: string
  readonly partition: number
}
