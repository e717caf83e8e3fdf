import { ErrorCode } from '../protocol/error-code.ts'
import { failureOf } from '../protocol/protocol-error.ts'
import {
  addOffsetsToTxn,
  addPartitionsToTxn,
  endTxn,
  initProducerId,
  txnOffsetCommit,
} from '../protocol/transactions.ts'
import { codeOf, type Endpoint, endpoint } from './endpoint.ts'
import { keepOffsets } from './offsets.ts'

/** Clients that are too old for PRODUCER_FENCED know the same thing as INVALID_PRODUCER_EPOCH (KIP-588). */
function fencedAs(errorCode: ErrorCode, knowsFenced: boolean): ErrorCode {
  return errorCode === ErrorCode.PRODUCER_FENCED && !knowsFenced ? ErrorCode.INVALID_PRODUCER_EPOCH : errorCode
}

export const initProducerIdEndpoint: Endpoint = endpoint(initProducerId, (request, { broker, version }) => {
  const { transactionalId, transactionTimeoutMs } = request
  try {
    const producer =
      transactionalId === null
        ? broker.transactions.newProducer()
        : broker.transactions.init(transactionalId, transactionTimeoutMs, request)
    return { errorCode: ErrorCode.NONE, producerId: producer.producerId, producerEpoch: producer.producerEpoch }
  } catch (error) {
    return { errorCode: fencedAs(failureOf(error).errorCode, version >= 4), producerId: -1, producerEpoch: -1 }
  }
})

/** AddPartitionsToTxn: all partitions or none. */
export const addPartitionsToTxnEndpoint: Endpoint = endpoint(addPartitionsToTxn, (request, { broker, version }) => {
  const { transactionalId, topics } = request
  const wanted = topics.flatMap(({ name, partitions }) => partitions.map((partition) => ({ topic: name, partition })))
  const isKnown = (topic: string, partition: number): boolean =>
    broker.topics.find(topic)?.partitions[partition] !== undefined
  const isComplete = wanted.every(({ topic, partition }) => isKnown(topic, partition))
  const result = isComplete
    ? fencedAs(
        codeOf(() => broker.transactions.add(transactionalId, request, { partitions: wanted })),
        version >= 2,
      )
    : ErrorCode.OPERATION_NOT_ATTEMPTED
  return {
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((index) => ({
        index,
        errorCode: isKnown(name, index) ? result : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
      })),
    })),
  }
})

export const addOffsetsToTxnEndpoint: Endpoint = endpoint(addOffsetsToTxn, (request, { broker, version }) => {
  const { transactionalId, groupId } = request
  const errorCode = codeOf(() => broker.transactions.add(transactionalId, request, { group: groupId }))
  return { errorCode: fencedAs(errorCode, version >= 2) }
})

/** TxnOffsetCommit: keeps offsets aside until the transaction ends. */
export const txnOffsetCommitEndpoint: Endpoint = endpoint(txnOffsetCommit, (request, { broker }) => {
  const { transactionalId, groupId, producerId, topics } = request
  return keepOffsets(broker, topics, (offsets) => {
    const refusal = codeOf(() => broker.transactions.checkOffsets(transactionalId, request, groupId))
    if (refusal !== ErrorCode.NONE) return fencedAs(refusal, false)
    // Clients before version 3 say nothing about their membership.
    const isMember = request.memberId !== '' || request.generationId >= 0
    const outdated = isMember ? broker.groups.commitRefusal(request) : undefined
    if (outdated !== undefined) return outdated
    broker.groups.offsets.stage(producerId, groupId, offsets)
    return ErrorCode.NONE
  })
})

export const endTxnEndpoint: Endpoint = endpoint(endTxn, (request, { broker, version }) => {
  const outcome = request.committed ? 'commit' : 'abort'
  const errorCode = codeOf(() => broker.transactions.end(request.transactionalId, request, outcome))
  return { errorCode: fencedAs(errorCode, version >= 2) }
})
