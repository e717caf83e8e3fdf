import { ErrorCode } from '../../protocol/error-code.ts'
import { codeOf } from '../../protocol/protocol-error.ts'
import { int16, int32, int64, nullableString, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { keepOffsets } from '../committed-offsets/keep-offsets.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, errorsByTopic } from '../definition/by-topic.ts'
import { fencedAs } from './fenced-as.ts'

const request = struct({
  transactionalId: string,
  groupId: string,
  producerId: int64,
  producerEpoch: int16,
  generationId: since(3, int32, -1),
  memberId: since(3, string, ''),
  groupInstanceId: since(3, nullableString, null),
  topics: byTopic(struct({ index: int32, offset: int64, leaderEpoch: since(2, int32, -1), metadata: nullableString })),
})

/** Since these versions clients know TRANSACTION_ABORTABLE, and do not announce the group before (KIP-890). */
const ABORTABLE_VERSION = 4
const IMPLICIT_VERSION = 5

/** Keeps offsets aside until the transaction ends. */
export const txnOffsetCommit = defineApi('TxnOffsetCommit', {
  request,
  response: struct({ throttleTimeMs: constant(int32, 0), topics: errorsByTopic }),
  handle(committer, { broker, version }) {
    const { transactionalId, groupId, producerId, topics } = committer
    return keepOffsets(broker, topics, (offsets) => {
      const elsewhere = broker.groupRefusal(groupId)
      if (elsewhere !== undefined) return elsewhere
      const refusal = codeOf(() => {
        if (version < IMPLICIT_VERSION) broker.transactions.checkOffsets(transactionalId, committer, groupId)
        else broker.transactions.add(transactionalId, committer, { group: groupId })
      })
      const isAbortable = refusal === ErrorCode.INVALID_TXN_STATE && version >= ABORTABLE_VERSION
      if (isAbortable) return ErrorCode.TRANSACTION_ABORTABLE
      if (refusal !== ErrorCode.NONE) return fencedAs(refusal, { knowsFenced: false })
      // Clients before version 3 say nothing about their membership.
      const isMember = committer.memberId !== '' || committer.generationId >= 0
      const outdated = isMember ? broker.groups.commitRefusal(committer) : undefined
      // Producers know nothing of member epochs.
      if (outdated === ErrorCode.STALE_MEMBER_EPOCH) return ErrorCode.ILLEGAL_GENERATION
      if (outdated !== undefined) return outdated
      if (!broker.groups.offsets.hasRoomFor(groupId, offsets)) return ErrorCode.GROUP_MAX_SIZE_REACHED
      broker.groups.offsets.stage(producerId, groupId, offsets)
      return ErrorCode.NONE
    })
  },
})
