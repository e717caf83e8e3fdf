import type { Infer } from '../wire/codec.ts'
import { array, int8, int16, int32, int64, string } from '../wire/primitives.ts'
import { constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

const listOffsetsRequest = struct({
  replicaId: int32,
  isolationLevel: since(2, int8, 0),
  topics: array(
    struct({
      name: string,
      partitions: array(struct({ index: int32, currentLeaderEpoch: since(4, int32, -1), timestamp: int64 })),
    }),
  ),
})

const listOffsetsResponse = struct({
  throttleTimeMs: constant(int32, 0, 2),
  topics: array(
    struct({
      name: string,
      partitions: array(
        struct({ index: int32, errorCode: int16, timestamp: int64, offset: int64, leaderEpoch: constant(int32, 0, 4) }),
      ),
    }),
  ),
})

export const listOffsets: Api<Infer<typeof listOffsetsRequest>, Infer<typeof listOffsetsResponse>> = {
  key: 2,
  name: 'ListOffsets',
  minVersion: 1,
  maxVersion: 7,
  flexibleSince: 6,
  request: listOffsetsRequest,
  response: listOffsetsResponse,
}

const leaderEpochRequest = struct({
  replicaId: since(3, int32, -2),
  topics: array(
    struct({
      name: string,
      partitions: array(struct({ index: int32, currentLeaderEpoch: since(2, int32, -1), leaderEpoch: int32 })),
    }),
  ),
})

const leaderEpochResponse = struct({
  throttleTimeMs: constant(int32, 0, 2),
  topics: array(
    struct({
      name: string,
      partitions: array(struct({ errorCode: int16, index: int32, leaderEpoch: since(1, int32, -1), endOffset: int64 })),
    }),
  ),
})

export const offsetForLeaderEpoch: Api<Infer<typeof leaderEpochRequest>, Infer<typeof leaderEpochResponse>> = {
  key: 23,
  name: 'OffsetForLeaderEpoch',
  minVersion: 2,
  maxVersion: 4,
  flexibleSince: 4,
  request: leaderEpochRequest,
  response: leaderEpochResponse,
}
