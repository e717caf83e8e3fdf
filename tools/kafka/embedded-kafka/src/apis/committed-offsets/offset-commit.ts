import { ErrorCode } from '../../protocol/error-code.ts'
import { int32, int64, nullableString, string } from '../../wire/primitives.ts'
import { between, constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, errorsByTopic } from '../definition/by-topic.ts'
import { keepOffsets } from './keep-offsets.ts'

/** Since this version clients know the error for an old member epoch (KIP-848). */
const MEMBER_EPOCH_VERSION = 9

const request = struct({
  groupId: string,
  generationId: int32,
  memberId: string,
  groupInstanceId: since(7, nullableString, null),
  retentionTimeMs: between(2, 4, int64, -1),
  topics: byTopic(struct({ index: int32, offset: int64, leaderEpoch: since(6, int32, -1), metadata: nullableString })),
})

export const offsetCommit = defineApi('OffsetCommit', {
  request,
  response: struct({ throttleTimeMs: constant(int32, 0, 3), topics: errorsByTopic }),
  handle: (committer, { broker, version }) =>
    keepOffsets(broker, committer.topics, (offsets) => {
      const refusal = broker.groupRefusal(committer.groupId)
      if (refusal !== undefined) return refusal
      const isTooOld =
        version < MEMBER_EPOCH_VERSION && (broker.groups.consumers.find(committer.groupId)?.size ?? 0) > 0
      return isTooOld ? ErrorCode.UNSUPPORTED_VERSION : broker.groups.commit(committer, offsets)
    }),
})
