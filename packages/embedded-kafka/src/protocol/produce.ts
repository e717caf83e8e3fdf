import type { Infer } from '../wire/codec.ts'
import { array, int16, int32, int64, nullableBytes, nullableString, string } from '../wire/primitives.ts'
import { constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

const request = struct({
  transactionalId: since(3, nullableString, null),
  acks: int16,
  timeoutMs: int32,
  topics: array(struct({ name: string, partitions: array(struct({ index: int32, records: nullableBytes })) })),
})

const response = struct({
  topics: array(
    struct({
      name: string,
      partitions: array(
        struct({
          index: int32,
          errorCode: int16,
          baseOffset: int64,
          logAppendTimeMs: constant(int64, -1, 2),
          logStartOffset: since(5, int64, -1),
          recordErrors: constant(array(struct({ batchIndex: int32, message: nullableString })), [], 8),
          errorMessage: since(8, nullableString, null),
        }),
      ),
    }),
  ),
  throttleTimeMs: constant(int32, 0, 1),
})

/** The first version with record batches of format 2; older ones are answered with UNSUPPORTED_VERSION. */
export const FIRST_BATCH_VERSION = 3

/** Announced from version 0, as Apache Kafka 4 does: librdkafka takes a higher minimum for "no compression". */
export const produce: Api<Infer<typeof request>, Infer<typeof response>> = {
  key: 0,
  name: 'Produce',
  minVersion: 0,
  maxVersion: 9,
  flexibleSince: 9,
  request,
  response,
}
