import type { Infer } from '../wire/codec.ts'
import { array, bool, int16, int32, int64, nullableString, string } from '../wire/primitives.ts'
import { constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

const initRequest = struct({
  transactionalId: nullableString,
  transactionTimeoutMs: int32,
  producerId: since(3, int64, -1),
  producerEpoch: since(3, int16, -1),
})

const initResponse = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: int16,
  producerId: int64,
  producerEpoch: int16,
})

export const initProducerId: Api<Infer<typeof initRequest>, Infer<typeof initResponse>> = {
  key: 22,
  name: 'InitProducerId',
  minVersion: 0,
  maxVersion: 4,
  flexibleSince: 2,
  request: initRequest,
  response: initResponse,
}

const addPartitionsRequest = struct({
  transactionalId: string,
  producerId: int64,
  producerEpoch: int16,
  topics: array(struct({ name: string, partitions: array(int32) })),
})

const errorsByPartition = array(struct({ name: string, partitions: array(struct({ index: int32, errorCode: int16 })) }))

const addPartitionsResponse = struct({ throttleTimeMs: constant(int32, 0), topics: errorsByPartition })

export const addPartitionsToTxn: Api<Infer<typeof addPartitionsRequest>, Infer<typeof addPartitionsResponse>> = {
  key: 24,
  name: 'AddPartitionsToTxn',
  minVersion: 0,
  maxVersion: 3,
  flexibleSince: 3,
  request: addPartitionsRequest,
  response: addPartitionsResponse,
}

const addOffsetsRequest = struct({ transactionalId: string, producerId: int64, producerEpoch: int16, groupId: string })
const errorResponse = struct({ throttleTimeMs: constant(int32, 0), errorCode: int16 })

export const addOffsetsToTxn: Api<Infer<typeof addOffsetsRequest>, Infer<typeof errorResponse>> = {
  key: 25,
  name: 'AddOffsetsToTxn',
  minVersion: 0,
  maxVersion: 3,
  flexibleSince: 3,
  request: addOffsetsRequest,
  response: errorResponse,
}

const endRequest = struct({ transactionalId: string, producerId: int64, producerEpoch: int16, committed: bool })

export const endTxn: Api<Infer<typeof endRequest>, Infer<typeof errorResponse>> = {
  key: 26,
  name: 'EndTxn',
  minVersion: 0,
  maxVersion: 3,
  flexibleSince: 3,
  request: endRequest,
  response: errorResponse,
}

const offsetCommitRequest = struct({
  transactionalId: string,
  groupId: string,
  producerId: int64,
  producerEpoch: int16,
  generationId: since(3, int32, -1),
  memberId: since(3, string, ''),
  groupInstanceId: since(3, nullableString, null),
  topics: array(
    struct({
      name: string,
      partitions: array(
        struct({ index: int32, offset: int64, leaderEpoch: since(2, int32, -1), metadata: nullableString }),
      ),
    }),
  ),
})

const offsetCommitResponse = struct({ throttleTimeMs: constant(int32, 0), topics: errorsByPartition })

export const txnOffsetCommit: Api<Infer<typeof offsetCommitRequest>, Infer<typeof offsetCommitResponse>> = {
  key: 28,
  name: 'TxnOffsetCommit',
  minVersion: 0,
  maxVersion: 3,
  flexibleSince: 3,
  request: offsetCommitRequest,
  response: offsetCommitResponse,
}
