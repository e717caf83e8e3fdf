import type { Broker } from '../broker.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { failureOf } from '../protocol/protocol-error.ts'
import { describeProducers, describeTransactions, listTransactions } from '../protocol/transaction-admin.ts'
import type { TransactionPartition, TransactionPhase } from '../transactions/transaction.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

/** Apache Kafka's names of the states that a transactional id has here. */
const STATES = ['Empty', 'Ongoing', 'PrepareCommit', 'PrepareAbort', 'CompleteCommit', 'CompleteAbort'] as const

function stateOf(phase: TransactionPhase): (typeof STATES)[number] {
  if (phase.kind === 'empty') return 'Empty'
  if (phase.kind === 'ongoing') return 'Ongoing'
  const isCommit = phase.outcome === 'commit'
  if (phase.kind === 'ending') return isCommit ? 'PrepareCommit' : 'PrepareAbort'
  return isCommit ? 'CompleteCommit' : 'CompleteAbort'
}

/** DescribeProducers: who writes to a partition with sequence numbers, and whose transaction is open there. */
export const describeProducersEndpoint: Endpoint = endpoint(describeProducers, ({ topics }, { broker }) => ({
  topics: topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map((index) => {
      try {
        const { activeProducers } = broker.topics.partition(name, index)
        return { index, errorCode: ErrorCode.NONE, errorMessage: null, activeProducers }
      } catch (error) {
        const { errorCode, message } = failureOf(error)
        return { index, errorCode, errorMessage: message, activeProducers: [] }
      }
    }),
  })),
}))

function byTopic(partitions: readonly TransactionPartition[]) {
  const topics = Map.groupBy(partitions, ({ topic }) => topic)
  return [...topics].map(([name, each]) => ({ name, partitions: each.map(({ partition }) => partition) }))
}

function describe(broker: Broker, transactionalId: string) {
  const found = broker.transactions.all.get(transactionalId)
  if (!found) {
    return {
      errorCode: ErrorCode.TRANSACTIONAL_ID_NOT_FOUND,
      transactionalId,
      transactionState: '',
      transactionTimeoutMs: 0,
      transactionStartTimeMs: -1,
      producerId: -1,
      producerEpoch: -1,
      topics: [],
    }
  }
  const { phase, producerId, producerEpoch, timeoutMs } = found
  return {
    errorCode: ErrorCode.NONE,
    transactionalId,
    transactionState: stateOf(phase),
    transactionTimeoutMs: timeoutMs,
    transactionStartTimeMs: phase.kind === 'ongoing' ? phase.startedAt : -1,
    producerId,
    producerEpoch,
    topics: byTopic('partitions' in phase ? phase.partitions : []),
  }
}

export const describeTransactionsEndpoint: Endpoint = endpoint(
  describeTransactions,
  ({ transactionalIds }, { broker }) => ({
    transactionStates: transactionalIds.map((transactionalId) => describe(broker, transactionalId)),
  }),
)

export const listTransactionsEndpoint: Endpoint = endpoint(
  listTransactions,
  ({ stateFilters, producerIdFilters, durationFilter }, { broker }) => {
    const states = stateFilters.filter((state) => STATES.some((known) => known === state))
    const all = [...broker.transactions.all.keys()].map((id) => describe(broker, id))
    const isLongEnough = (startedAt: number) =>
      durationFilter < 0 || (startedAt >= 0 && broker.transactions.now() - startedAt > durationFilter)
    return {
      unknownStateFilters: stateFilters.filter((state) => !states.includes(state)),
      transactionStates: all.filter(
        (each) =>
          (stateFilters.length === 0 || states.includes(each.transactionState)) &&
          (producerIdFilters.length === 0 || producerIdFilters.includes(each.producerId)) &&
          isLongEnough(each.transactionStartTimeMs),
      ),
    }
  },
)
