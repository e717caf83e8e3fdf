import type { Infer } from '../wire/codec.ts'
import { array, bool, int16, int32, int64, nullableArray, nullableString, string } from '../wire/primitives.ts'
import { between, constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

const commitRequest = struct({
  groupId: string,
  generationId: int32,
  memberId: string,
  groupInstanceId: since(7, nullableString, null),
  retentionTimeMs: between(2, 4, int64, -1),
  topics: array(
    struct({
      name: string,
      partitions: array(
        struct({ index: int32, offset: int64, leaderEpoch: since(6, int32, -1), metadata: nullableString }),
      ),
    }),
  ),
})

const errorsByPartition = array(struct({ name: string, partitions: array(struct({ index: int32, errorCode: int16 })) }))

const commitResponse = struct({ throttleTimeMs: constant(int32, 0, 3), topics: errorsByPartition })

export const offsetCommit: Api<Infer<typeof commitRequest>, Infer<typeof commitResponse>> = {
  key: 8,
  name: 'OffsetCommit',
  minVersion: 2,
  maxVersion: 9,
  flexibleSince: 8,
  request: commitRequest,
  response: commitResponse,
}

const wantedTopics = nullableArray(struct({ name: string, partitions: array(int32) }))

const fetchRequest = struct({
  groupId: between(0, 7, string, ''),
  topics: between(0, 7, wantedTopics, null),
  groups: since(
    8,
    array(
      struct({
        groupId: string,
        memberId: since(9, nullableString, null),
        memberEpoch: since(9, int32, -1),
        topics: wantedTopics,
      }),
    ),
    [],
  ),
  requireStable: since(7, bool, false),
})

const foundTopics = array(
  struct({
    name: string,
    partitions: array(
      struct({
        index: int32,
        offset: int64,
        leaderEpoch: since(5, int32, -1),
        metadata: nullableString,
        errorCode: int16,
      }),
    ),
  }),
)

const fetchResponse = struct({
  throttleTimeMs: constant(int32, 0, 3),
  topics: between(0, 7, foundTopics, []),
  errorCode: between(2, 7, int16, 0),
  groups: since(8, array(struct({ groupId: string, topics: foundTopics, errorCode: int16 })), []),
})

export const offsetFetch: Api<Infer<typeof fetchRequest>, Infer<typeof fetchResponse>> = {
  key: 9,
  name: 'OffsetFetch',
  minVersion: 1,
  maxVersion: 9,
  flexibleSince: 6,
  request: fetchRequest,
  response: fetchResponse,
}

const deleteRequest = struct({
  groupId: string,
  topics: array(struct({ name: string, partitions: array(struct({ index: int32 })) })),
})

const deleteResponse = struct({ errorCode: int16, throttleTimeMs: constant(int32, 0), topics: errorsByPartition })

export const offsetDelete: Api<Infer<typeof deleteRequest>, Infer<typeof deleteResponse>> = {
  key: 47,
  name: 'OffsetDelete',
  minVersion: 0,
  maxVersion: 0,
  flexibleSince: Number.POSITIVE_INFINITY,
  request: deleteRequest,
  response: deleteResponse,
}
