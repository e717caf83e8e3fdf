import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { between, constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

const request = struct({
  groupId: string,
  memberId: between(0, 2, string, ''),
  members: since(
    3,
    array(struct({ memberId: string, groupInstanceId: nullableString, reason: since(5, nullableString, null) })),
    [],
  ),
})

const response = struct({
  throttleTimeMs: constant(int32, 0, 1),
  errorCode: int16,
  members: since(3, array(struct({ memberId: string, groupInstanceId: nullableString, errorCode: int16 })), []),
})

/** Up to version 2 one member leaves by itself, later a list of them. */
export const leaveGroup = defineApi('LeaveGroup', {
  request,
  response,
  handle({ groupId, memberId, members }, { broker, version }) {
    const refusal = broker.groupRefusal(groupId)
    if (refusal !== undefined) return { errorCode: refusal, members: [] }
    if (version < 3) return { errorCode: broker.groups.leave(groupId, memberId, null), members: [] }
    return {
      errorCode: ErrorCode.NONE,
      members: members.map((member) => ({
        ...member,
        errorCode: broker.groups.leave(groupId, member.memberId, member.groupInstanceId),
      })),
    }
  },
})
