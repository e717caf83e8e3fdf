import type { Infer } from '../wire/codec.ts'
import {
  array,
  bool,
  int8,
  int16,
  int32,
  int64,
  nullableArray,
  nullableString,
  string,
  uuid,
  ZERO_UUID,
} from '../wire/primitives.ts'
import { between, constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

const createRequest = struct({
  topics: array(
    struct({
      name: string,
      numPartitions: int32,
      replicationFactor: int16,
      assignments: array(struct({ partitionIndex: int32, brokerIds: array(int32) })),
      configs: array(struct({ name: string, value: nullableString })),
    }),
  ),
  timeoutMs: int32,
  validateOnly: since(1, bool, false),
})

const createResponse = struct({
  throttleTimeMs: constant(int32, 0, 2),
  topics: array(
    struct({
      name: string,
      topicId: since(7, uuid, ZERO_UUID),
      errorCode: int16,
      errorMessage: since(1, nullableString, null),
      numPartitions: since(5, int32, -1),
      replicationFactor: since(5, int16, -1),
      configs: since(
        5,
        nullableArray(
          struct({
            name: string,
            value: nullableString,
            readOnly: constant(bool, false),
            configSource: int8,
            isSensitive: constant(bool, false),
          }),
        ),
        null,
      ),
    }),
  ),
})

export const createTopics: Api<Infer<typeof createRequest>, Infer<typeof createResponse>> = {
  key: 19,
  name: 'CreateTopics',
  minVersion: 0,
  maxVersion: 7,
  flexibleSince: 5,
  request: createRequest,
  response: createResponse,
}

const deleteRequest = struct({
  topics: since(6, array(struct({ name: nullableString, topicId: uuid })), []),
  topicNames: between(0, 5, array(string), []),
  timeoutMs: int32,
})

const deleteResponse = struct({
  throttleTimeMs: constant(int32, 0, 1),
  topics: array(
    struct({
      name: nullableString,
      topicId: since(6, uuid, ZERO_UUID),
      errorCode: int16,
      errorMessage: constant(nullableString, null, 5),
    }),
  ),
})

export const deleteTopics: Api<Infer<typeof deleteRequest>, Infer<typeof deleteResponse>> = {
  key: 20,
  name: 'DeleteTopics',
  minVersion: 0,
  maxVersion: 6,
  flexibleSince: 4,
  request: deleteRequest,
  response: deleteResponse,
}

const partitionsRequest = struct({
  topics: array(
    struct({ name: string, count: int32, assignments: nullableArray(struct({ brokerIds: array(int32) })) }),
  ),
  timeoutMs: int32,
  validateOnly: bool,
})

const partitionsResponse = struct({
  throttleTimeMs: constant(int32, 0),
  results: array(struct({ name: string, errorCode: int16, errorMessage: nullableString })),
})

export const createPartitions: Api<Infer<typeof partitionsRequest>, Infer<typeof partitionsResponse>> = {
  key: 37,
  name: 'CreatePartitions',
  minVersion: 0,
  maxVersion: 3,
  flexibleSince: 2,
  request: partitionsRequest,
  response: partitionsResponse,
}

const recordsRequest = struct({
  topics: array(struct({ name: string, partitions: array(struct({ index: int32, offset: int64 })) })),
  timeoutMs: int32,
})

const recordsResponse = struct({
  throttleTimeMs: constant(int32, 0),
  topics: array(
    struct({ name: string, partitions: array(struct({ index: int32, lowWatermark: int64, errorCode: int16 })) }),
  ),
})

export const deleteRecords: Api<Infer<typeof recordsRequest>, Infer<typeof recordsResponse>> = {
  key: 21,
  name: 'DeleteRecords',
  minVersion: 0,
  maxVersion: 2,
  flexibleSince: 2,
  request: recordsRequest,
  response: recordsResponse,
}
