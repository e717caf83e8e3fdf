import { codeOf } from '../../protocol/protocol-error.ts'
import { int16, int32, int64, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { fencedAs } from './fenced-as.ts'

/** Announces that the transaction will commit offsets of a group. */
export const addOffsetsToTxn = defineApi('AddOffsetsToTxn', {
  request: struct({ transactionalId: string, producerId: int64, producerEpoch: int16, groupId: string }),
  response: struct({ throttleTimeMs: constant(int32, 0), errorCode: int16 }),
  handle(producer, { broker, version }) {
    const { transactionalId, groupId } = producer
    const refusal = broker.transactionRefusal(transactionalId)
    if (refusal !== undefined) return { errorCode: refusal }
    const errorCode = codeOf(() => broker.transactions.add(transactionalId, producer, { group: groupId }))
    return { errorCode: fencedAs(errorCode, { knowsFenced: version >= 2 }) }
  },
})
