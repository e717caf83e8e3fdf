import type { Broker } from '../../broker/broker.ts'
import { groupBy } from '../../group-by.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import type { TransactionPartition } from '../../transactions/transaction.ts'
import { mapInTurns } from '../../turn.ts'
import { array, int16, int32, int64, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic } from '../definition/by-topic.ts'
import { transactionState } from './transaction-state.ts'

const response = struct({
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
      topics: byTopic(int32),
    }),
  ),
})

function groupByTopic(partitions: readonly TransactionPartition[]) {
  const topics = groupBy(partitions, ({ topic }) => topic)
  return [...topics].map(([name, each]) => ({ name, partitions: each.map(({ partition }) => partition) }))
}

function describe(broker: Broker, transactionalId: string) {
  const found = broker.transactions.all.get(transactionalId)
  const refusal = broker.transactionRefusal(transactionalId)
  if (!found || refusal !== undefined) {
    return {
      errorCode: refusal ?? ErrorCode.TRANSACTIONAL_ID_NOT_FOUND,
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
    transactionState: transactionState(phase),
    transactionTimeoutMs: timeoutMs,
    transactionStartTimeMs: phase.kind === 'ongoing' ? phase.startedAt : -1,
    producerId,
    producerEpoch,
    topics: groupByTopic('partitions' in phase ? phase.partitions : []),
  }
}

export const describeTransactions = defineApi('DescribeTransactions', {
  request: struct({ transactionalIds: array(string) }),
  response,
  handle: async ({ transactionalIds }, { broker }) => ({
    transactionStates: await mapInTurns(transactionalIds, (id) => describe(broker, id)),
  }),
})
