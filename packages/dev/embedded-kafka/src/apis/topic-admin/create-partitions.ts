import { actionOutcome } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import { array, bool, int16, int32, nullableArray, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

const request = struct({
  topics: array(
    struct({ name: string, count: int32, assignments: nullableArray(struct({ brokerIds: array(int32) })) }),
  ),
  timeoutMs: int32,
  validateOnly: bool,
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  results: array(struct({ name: string, errorCode: int16, errorMessage: nullableString })),
})

export const createPartitions = defineApi({
  key: 37,
  name: 'CreatePartitions',
  minVersion: 0,
  maxVersion: 3,
  flexibleSince: 2,
  request,
  response,
  handle: async ({ topics, validateOnly }, { broker }) => ({
    results: await mapInTurns(topics, ({ name, count }) => ({
      name,
      ...actionOutcome(() => broker.topics.grow(name, count, { validateOnly })),
    })),
  }),
})
