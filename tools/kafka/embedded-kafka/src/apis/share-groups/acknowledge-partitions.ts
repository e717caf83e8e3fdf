import type { ErrorCode } from '../../protocol/error-code.ts'
import { actionOutcome } from '../../protocol/protocol-error.ts'
import type { SessionMember, SharedPartition } from '../../sessions/share-sessions.ts'
import { type Acknowledgement, checkAcknowledgements } from '../../shares/acknowledgement.ts'
import { mapInTurns } from '../../turn.ts'
import type { RequestContext } from '../definition/api.ts'
import { requireShared } from './shared-partition.ts'

/** The partitions of a request, with what its member has done with. */
export interface AcknowledgedTopic {
  readonly topicId: string
  readonly partitions: readonly {
    readonly index: number
    readonly acknowledgementBatches: readonly Acknowledgement[]
  }[]
}

export interface AcknowledgeOutcome extends SharedPartition {
  readonly errorCode: ErrorCode
  readonly errorMessage: string | null
}

/** Settles the records of each partition, of all its batches or of none. */
export function acknowledgePartitions(
  topics: readonly AcknowledgedTopic[],
  { groupId, memberId }: SessionMember,
  context: RequestContext,
): Promise<readonly AcknowledgeOutcome[]> {
  const acknowledged = topics.flatMap(({ topicId, partitions }) =>
    partitions
      .filter(({ acknowledgementBatches }) => acknowledgementBatches.length > 0)
      .map(({ index, acknowledgementBatches }) => ({ topicId, index, batches: acknowledgementBatches })),
  )
  return mapInTurns(acknowledged, ({ topicId, index, batches }) => ({
    topicId,
    index,
    ...actionOutcome(() => {
      checkAcknowledgements(batches)
      requireShared(context, groupId, { topicId, index }).share.acknowledge(memberId, batches)
    }),
  }))
}
