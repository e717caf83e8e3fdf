import { mapInTurns } from '../../turn.ts'
import { array, int16, int32, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

export const deleteGroups = defineApi('DeleteGroups', {
  request: struct({ groupIds: array(string) }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    results: array(struct({ groupId: string, errorCode: int16 })),
  }),
  handle: async ({ groupIds }, { broker }) => ({
    results: await mapInTurns(groupIds, (groupId) => ({
      groupId,
      errorCode: broker.groupRefusal(groupId) ?? broker.groups.delete(groupId),
    })),
  }),
})
