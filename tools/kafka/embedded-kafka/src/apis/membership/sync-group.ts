import { failedSync } from '../../groups/join-and-sync.ts'
import { array, bytes, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

/** Answered when the leader has sent the assignments. */
export const syncGroup = defineApi('SyncGroup', {
  request: struct({
    groupId: string,
    generationId: int32,
    memberId: string,
    groupInstanceId: since(3, nullableString, null),
    protocolType: since(5, nullableString, null),
    protocolName: since(5, nullableString, null),
    assignments: array(struct({ memberId: string, assignment: bytes })),
  }),
  response: struct({
    throttleTimeMs: constant(int32, 0, 1),
    errorCode: int16,
    protocolType: since(5, nullableString, null),
    protocolName: since(5, nullableString, null),
    assignment: bytes,
  }),
  handle(member, { broker }) {
    const refusal = broker.groupRefusal(member.groupId)
    return refusal === undefined ? broker.groups.sync(member.groupId, member) : failedSync(refusal)
  },
})
