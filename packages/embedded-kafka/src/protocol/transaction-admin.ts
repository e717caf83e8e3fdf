import type { Infer } from '../wire/codec.ts'
import { array, int16, int32, int64, nullableString, string } from '../wire/primitives.ts'
import { constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

const producersRequest = struct({ topics: array(struct({ name: string, partitions: array(int32) })) })

const producersResponse = struct({
  throttleTimeMs: constant(int32, 0),
  topics: array(
    struct({
      name: string,
      partitions: array(
        struct({
          index: int32,
          errorCode: int16,
          errorMessage: nullableString,
          activeProducers: array(
            struct({
              producerId: int64,
              producerEpoch: int32,
              lastSequence: int32,
              lastTimestamp: int64,
              coordinatorEpoch: constant(int32, 0),
              currentTxnStartOffset: int64,
            }),
          ),
        }),
      ),
    }),
  ),
})

export const describeProducers: Api<Infer<typeof producersRequest>, Infer<typeof producersResponse>> = {
  key: 61,
  name: 'DescribeProducers',
  minVersion: 0,
  maxVersion: 0,
  flexibleSince: 0,
  request: producersRequest,
  response: producersResponse,
}

const describeRequest = struct({ transactionalIds: array(string) })

const describeResponse = struct({
  throttleTimeMs: constant(int32, 0),
  transactionStates: array(
    struct({
      errorCode: int16,
      transactionalId: string,
      transactionState: string,
      transactionTimeoutMs: int32,
      transactionStartTimeMs: int64,
      producerId: int64,
      producerEpoch: int16,
      topics: array(struct({ name: string, partitions: array(int32) })),
    }),
  ),
})

export const describeTransactions: Api<Infer<typeof describeRequest>, Infer<typeof describeResponse>> = {
  key: 65,
  name: 'DescribeTransactions',
  minVersion: 0,
  maxVersion: 0,
  flexibleSince: 0,
  request: describeRequest,
  response: describeResponse,
}

const listRequest = struct({
  stateFilters: array(string),
  producerIdFilters: array(int64),
  /** Milliseconds that a transaction has been open at least; -1 for all. */
  durationFilter: since(1, int64, -1),
})

const listResponse = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: constant(int16, 0),
  unknownStateFilters: array(string),
  transactionStates: array(struct({ transactionalId: string, producerId: int64, transactionState: string })),
})

export const listTransactions: Api<Infer<typeof listRequest>, Infer<typeof listResponse>> = {
  key: 66,
  name: 'ListTransactions',
  minVersion: 0,
  maxVersion: 1,
  flexibleSince: 0,
  request: listRequest,
  response: listResponse,
}
