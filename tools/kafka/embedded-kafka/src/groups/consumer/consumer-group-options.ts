import type { Clock } from '../../clock.ts'
import type { GroupTimes } from '../../settings/group-settings.ts'
import type { TopicCatalog } from '../../topics/topic-catalog.ts'
import type { ConsumerMember } from './consumer-member.ts'

/** As it is kept: the rest is computed from its members. */
export interface GroupEpochs {
  readonly epoch: number
  /** Of the group when the targets of its members were computed. */
  readonly assignmentEpoch: number
  /** Of the topics at that time. */
  readonly fingerprint: string
}

export interface ConsumerGroupOptions {
  readonly id: string
  readonly maxMembers: number
  readonly catalog: TopicCatalog
  readonly clock: Clock
  readonly times: () => GroupTimes
  /** Keeps what has changed; null for a member that is gone. */
  readonly save: (epochs: GroupEpochs, changed: ReadonlyMap<string, ConsumerMember | null>) => void
}

export const NO_EPOCHS: GroupEpochs = { epoch: 0, assignmentEpoch: 0, fingerprint: '' }
