import type { Infer } from '../wire/codec.ts'
import {
  array,
  int8,
  int16,
  int32,
  int64,
  nullableArray,
  nullableBytes,
  string,
  uuid,
  ZERO_UUID,
} from '../wire/primitives.ts'
import { between, constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

/** A topic by its name, from version 13 on by its id (KIP-516). */
const topicKey = { name: between(0, 12, string, ''), topicId: since(13, uuid, ZERO_UUID) }

const request = struct({
  // From version 15 on a tagged field, which consumers do not send.
  replicaId: between(0, 14, int32, -1),
  maxWaitMs: int32,
  minBytes: int32,
  maxBytes: int32,
  isolationLevel: int8,
  sessionId: since(7, int32, 0),
  sessionEpoch: since(7, int32, -1),
  topics: array(
    struct({
      ...topicKey,
      partitions: array(
        struct({
          index: int32,
          currentLeaderEpoch: since(9, int32, -1),
          fetchOffset: int64,
          lastFetchedEpoch: since(12, int32, -1),
          logStartOffset: since(5, int64, -1),
          maxBytes: int32,
        }),
      ),
    }),
  ),
  forgottenTopics: since(7, array(struct({ ...topicKey, partitions: array(int32) })), []),
  rackId: since(11, string, ''),
})

const response = struct({
  throttleTimeMs: constant(int32, 0, 1),
  errorCode: constant(int16, 0, 7),
  // 0: no fetch session (KIP-227), so that every request names all its partitions.
  sessionId: constant(int32, 0, 7),
  topics: array(
    struct({
      ...topicKey,
      partitions: array(
        struct({
          index: int32,
          errorCode: int16,
          highWatermark: int64,
          lastStableOffset: int64,
          logStartOffset: since(5, int64, -1),
          abortedTransactions: nullableArray(struct({ producerId: int64, firstOffset: int64 })),
          preferredReadReplica: constant(int32, -1, 11),
          records: nullableBytes,
        }),
      ),
    }),
  ),
})

export const fetch: Api<Infer<typeof request>, Infer<typeof response>> = {
  key: 1,
  name: 'Fetch',
  minVersion: 4,
  maxVersion: 17,
  flexibleSince: 12,
  request,
  response,
}
