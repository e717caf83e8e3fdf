import { ErrorCode } from '../../protocol/error-code.ts'
import { failureOf } from '../../protocol/protocol-error.ts'
import { int16, int32, int64, nullableString } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { fencedAs } from './fenced-as.ts'

/** Gives a producer its id; one with a transactional id also takes that over from its predecessors. */
export const initProducerId = defineApi('InitProducerId', {
  request: struct({
    transactionalId: nullableString,
    transactionTimeoutMs: int32,
    producerId: since(3, int64, -1),
    producerEpoch: since(3, int16, -1),
  }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    errorCode: int16,
    producerId: int64,
    producerEpoch: int16,
  }),
  handle(request, { broker, version }) {
    const { transactionalId, transactionTimeoutMs } = request
    try {
      const refusal = transactionalId === null ? undefined : broker.transactionRefusal(transactionalId)
      if (refusal !== undefined) return { errorCode: refusal, producerId: -1, producerEpoch: -1 }
      const { producerId, producerEpoch } =
        transactionalId === null
          ? broker.transactions.newProducer()
          : broker.transactions.init(transactionalId, transactionTimeoutMs, request)
      return { errorCode: ErrorCode.NONE, producerId, producerEpoch }
    } catch (error) {
      const errorCode = fencedAs(failureOf(error).errorCode, { knowsFenced: version >= 4 })
      return { errorCode, producerId: -1, producerEpoch: -1 }
    }
  },
})
