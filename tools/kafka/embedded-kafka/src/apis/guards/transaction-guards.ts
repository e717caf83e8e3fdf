import { ErrorCode } from '../../protocol/error-code.ts'
import { isAllowedAnywhere } from '../definition/authorized-operations.ts'
import { forPartitions } from '../definition/by-topic.ts'
import { addOffsetsToTxn } from '../producer-transactions/add-offsets-to-txn.ts'
import { addPartitionsToTxn, LAST_CLIENT_VERSION } from '../producer-transactions/add-partitions-to-txn.ts'
import { endTxn } from '../producer-transactions/end-txn.ts'
import { initProducerId } from '../producer-transactions/init-producer-id.ts'
import { txnOffsetCommit } from '../producer-transactions/txn-offset-commit.ts'
import { describeProducers } from '../transaction-admin/describe-producers.ts'
import { describeTransactions } from '../transaction-admin/describe-transactions.ts'
import { listTransactions } from '../transaction-admin/list-transactions.ts'
import { writeTxnMarkers } from '../transaction-admin/write-txn-markers.ts'
import { guardOf, split } from './guard.ts'

const {
  TOPIC_AUTHORIZATION_FAILED: NOT_TOPIC,
  GROUP_AUTHORIZATION_FAILED: NOT_GROUP,
  CLUSTER_AUTHORIZATION_FAILED: NOT_CLUSTER,
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: NOT_TRANSACTION,
} = ErrorCode
const refusedAs = (errorCode: number) => (partition: { readonly index: number }) => ({
  index: partition.index,
  errorCode,
})

const NO_PRODUCER = { producerId: -1, producerEpoch: -1 }
const NO_TRANSACTION = {
  transactionState: '',
  transactionTimeoutMs: 0,
  transactionStartTimeMs: -1,
  producerId: 0,
  producerEpoch: 0,
  topics: [],
}

export const transactionGuards = [
  guardOf(initProducerId, (request, { may, handle, context }) => {
    const { transactionalId } = request
    if (transactionalId !== null) {
      return may('WRITE', 'TRANSACTIONAL_ID', transactionalId)
        ? handle(request)
        : { errorCode: NOT_TRANSACTION, ...NO_PRODUCER }
    }
    // Who may write anywhere, may do so idempotently (KIP-679).
    const mayWrite = may('IDEMPOTENT_WRITE', 'CLUSTER') || isAllowedAnywhere(context, 'WRITE', 'TOPIC')
    return mayWrite ? handle(request) : { errorCode: NOT_CLUSTER, ...NO_PRODUCER }
  }),
  guardOf(addPartitionsToTxn, (request, { may, handle, context }) => {
    const nothing = { errorCode: ErrorCode.NONE, transactions: [], topics: [] }
    if (context.version > LAST_CLIENT_VERSION) {
      return may('CLUSTER_ACTION', 'CLUSTER') ? handle(request) : { ...nothing, errorCode: NOT_CLUSTER }
    }
    const all = (errorCode: (name: string) => number) => ({
      ...nothing,
      topics: forPartitions(request.topics, (index, name) => ({ index, errorCode: errorCode(name) })),
    })
    if (!may('WRITE', 'TRANSACTIONAL_ID', request.transactionalId)) return all(() => NOT_TRANSACTION)
    const mayWrite = (name: string) => may('WRITE', 'TOPIC', name)
    if (request.topics.every(({ name }) => mayWrite(name))) return handle(request)
    return all((name) => (mayWrite(name) ? ErrorCode.OPERATION_NOT_ATTEMPTED : NOT_TOPIC))
  }),
  guardOf(addOffsetsToTxn, (request, { may, handle }) => {
    if (!may('WRITE', 'TRANSACTIONAL_ID', request.transactionalId)) return { errorCode: NOT_TRANSACTION }
    return may('READ', 'GROUP', request.groupId) ? handle(request) : { errorCode: NOT_GROUP }
  }),
  guardOf(endTxn, (request, { may, handle }) =>
    may('WRITE', 'TRANSACTIONAL_ID', request.transactionalId)
      ? handle(request)
      : { errorCode: NOT_TRANSACTION, ...NO_PRODUCER },
  ),
  guardOf(writeTxnMarkers, (request, { may, handle }) => {
    if (may('ALTER', 'CLUSTER') || may('CLUSTER_ACTION', 'CLUSTER')) return handle(request)
    const refused = (index: number) => ({ index, errorCode: NOT_CLUSTER })
    const markers = request.markers.map(({ producerId, topics }) => ({
      producerId,
      topics: forPartitions(topics, refused),
    }))
    return { markers }
  }),
  guardOf(txnOffsetCommit, async (request, { may, handle }) => {
    const refuse = (errorCode: number) => ({ topics: forPartitions(request.topics, refusedAs(errorCode)) })
    if (!may('WRITE', 'TRANSACTIONAL_ID', request.transactionalId)) return refuse(NOT_TRANSACTION)
    if (!may('READ', 'GROUP', request.groupId)) return refuse(NOT_GROUP)
    const { allowed, refused } = split(request.topics, ({ name }) => may('READ', 'TOPIC', name))
    const { topics } = await handle({ ...request, topics: allowed })
    return { topics: [...topics, ...forPartitions(refused, refusedAs(NOT_TOPIC))] }
  }),
  guardOf(describeProducers, async (request, { may, handle }) => {
    const { allowed, refused } = split(request.topics, ({ name }) => may('READ', 'TOPIC', name))
    const { topics } = await handle({ ...request, topics: allowed })
    const nothing = { errorCode: NOT_TOPIC, errorMessage: null, activeProducers: [] }
    return { topics: [...topics, ...forPartitions(refused, (index) => ({ index, ...nothing }))] }
  }),
  guardOf(describeTransactions, async (request, { may, handle }) => {
    const { allowed, refused } = split(request.transactionalIds, (id) => may('DESCRIBE', 'TRANSACTIONAL_ID', id))
    const { transactionStates } = await handle({ ...request, transactionalIds: allowed })
    const seen = transactionStates.map((state) => ({
      ...state,
      topics: state.topics.filter(({ name }) => may('DESCRIBE', 'TOPIC', name)),
    }))
    const answers = refused.map((transactionalId) => ({
      errorCode: NOT_TRANSACTION,
      transactionalId,
      ...NO_TRANSACTION,
    }))
    return { transactionStates: [...seen, ...answers] }
  }),
  guardOf(listTransactions, async (request, { may, handle }) => {
    const answer = await handle(request)
    const isSeen = ({ transactionalId }: { readonly transactionalId: string }) =>
      may('DESCRIBE', 'TRANSACTIONAL_ID', transactionalId)
    return { ...answer, transactionStates: answer.transactionStates.filter(isSeen) }
  }),
]
