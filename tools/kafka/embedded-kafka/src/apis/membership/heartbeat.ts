import { int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

export const heartbeat = defineApi('Heartbeat', {
  request: struct({
    groupId: string,
    generationId: int32,
    memberId: string,
    groupInstanceId: since(3, nullableString, null),
  }),
  response: struct({ throttleTimeMs: constant(int32, 0, 1), errorCode: int16 }),
  handle: (member, { broker }) => ({
    errorCode: broker.groupRefusal(member.groupId) ?? broker.groups.heartbeat(member),
  }),
})
