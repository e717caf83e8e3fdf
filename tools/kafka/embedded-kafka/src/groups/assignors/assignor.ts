import type { Assignment } from './assignment.ts'

/** A member as an assignor sees it. */
export interface AssignedMember {
  readonly id: string
  readonly instanceId?: string | null
  /** Ids of the topics that it wants. */
  readonly topicIds: ReadonlySet<string>
  /** What it was to have until now. */
  readonly target: Assignment
}

/** Partitions of topics by the topics' ids. */
export type PartitionCounts = ReadonlyMap<string, number>

/** Gives each partition to one of the members that want its topic; the result is by the members' ids. */
export type Assignor = (members: readonly AssignedMember[], topics: PartitionCounts) => ReadonlyMap<string, Assignment>
