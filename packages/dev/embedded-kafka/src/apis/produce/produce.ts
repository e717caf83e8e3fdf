import { PRODUCE_KEY } from '../../protocol/api-key.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { outcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { checkBatch } from '../../records/check-batch.ts'
import { configValue } from '../../topics/topic-config.ts'
import { mapInTurns } from '../../turn.ts'
import { array, int16, int32, int64, nullableBytes, nullableString } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi, NO_RESPONSE, type RequestContext } from '../definition/api.ts'
import { byTopic } from '../definition/by-topic.ts'

const request = struct({
  transactionalId: since(3, nullableString, null),
  acks: int16,
  timeoutMs: int32,
  topics: byTopic(struct({ index: int32, records: nullableBytes })),
})

const response = struct({
  topics: byTopic(
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
  throttleTimeMs: constant(int32, 0, 1),
})

/** The first version with record batches of format 2; older ones are answered with UNSUPPORTED_VERSION. */
const FIRST_BATCH_VERSION = 3

interface Target {
  readonly name: string
  readonly index: number
  readonly records: Buffer | null
  readonly acks: number
  readonly transactionalId: string | null
}

function append(target: Target, { broker, version }: RequestContext) {
  const { name, index, records, acks, transactionalId } = target
  if (version < FIRST_BATCH_VERSION)
    throw new ProtocolError(ErrorCode.UNSUPPORTED_VERSION, 'record batches need version 3')
  if (acks < -1 || acks > 1)
    throw new ProtocolError(ErrorCode.INVALID_REQUIRED_ACKS, `acks must be -1, 0 or 1: ${acks}`)
  const partition = broker.topics.partition(name, index)
  const config = broker.topics.find(name)?.config ?? {}
  const maxBytes = Number(configValue(config, 'max.message.bytes'))
  const header = checkBatch(records, { maxBytes, now: broker.now() })
  if (header.isTransactional) {
    if (transactionalId === null) throw new ProtocolError(ErrorCode.INVALID_TXN_STATE, 'no transactional id')
    broker.transactions.checkWrite(transactionalId, header, { topic: name, partition: index })
  }
  return { baseOffset: partition.append(records ?? Buffer.alloc(0), header), logStartOffset: partition.startOffset }
}

const NOT_APPENDED = { baseOffset: -1, logStartOffset: -1 }

/** Appends each partition's batch, or gives the reason why not. */
export const produce = defineApi({
  key: PRODUCE_KEY,
  name: 'Produce',
  // Announced from version 0, as Apache Kafka 4 does: librdkafka takes a higher minimum for "no compression".
  minVersion: 0,
  maxVersion: 9,
  flexibleSince: 9,
  request,
  response,
  async handle({ acks, transactionalId, topics }, context) {
    const answered = await mapInTurns(topics, async ({ name, partitions }) => ({
      name,
      partitions: await mapInTurns(partitions, ({ index, records }) => ({
        index,
        ...outcomeOf(() => append({ name, index, records, acks, transactionalId }, context), NOT_APPENDED),
      })),
    }))
    return acks === 0 ? NO_RESPONSE : { topics: answered }
  },
})
