import { ErrorCode } from '../protocol/error-code.ts'
import { FIRST_BATCH_VERSION, produce } from '../protocol/produce.ts'
import { failureOf, ProtocolError } from '../protocol/protocol-error.ts'
import { checkBatch } from '../records/check-batch.ts'
import { configValue } from '../topics/topic-config.ts'
import { type Endpoint, endpoint, NO_RESPONSE, type RequestContext } from './endpoint.ts'

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
  const header = checkBatch(records, Number(configValue(config, 'max.message.bytes')))
  if (header.isTransactional) {
    if (transactionalId === null) throw new ProtocolError(ErrorCode.INVALID_TXN_STATE, 'no transactional id')
    broker.transactions.checkWrite(transactionalId, header, { topic: name, partition: index })
  }
  return { baseOffset: partition.append(records ?? Buffer.alloc(0), header), logStartOffset: partition.startOffset }
}

function appendResult(target: Target, context: RequestContext) {
  try {
    const appended = append(target, context)
    return { index: target.index, errorCode: ErrorCode.NONE, ...appended, errorMessage: null }
  } catch (error) {
    const { errorCode, message } = failureOf(error)
    return { index: target.index, errorCode, baseOffset: -1, logStartOffset: -1, errorMessage: message }
  }
}

/** Produce: appends each partition's batch, or answers why not. */
export const produceEndpoint: Endpoint = endpoint(produce, ({ acks, transactionalId, topics }, context) => {
  const answered = topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map((each) => appendResult({ ...each, name, acks, transactionalId }, context)),
  }))
  return acks === 0 ? NO_RESPONSE : { topics: answered }
})
