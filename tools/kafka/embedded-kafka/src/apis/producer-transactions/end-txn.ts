import { outcomeOf } from '../../protocol/protocol-error.ts'
import { bool, int16, int32, int64, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { fencedAs } from './fenced-as.ts'

/** Since this version the producer goes on with the epoch that it is given here (KIP-890). */
const BUMP_VERSION = 5
const NO_PRODUCER = { producerId: -1, producerEpoch: -1 }

export const endTxn = defineApi('EndTxn', {
  request: struct({ transactionalId: string, producerId: int64, producerEpoch: int16, committed: bool }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    errorCode: int16,
    producerId: since(5, int64, -1),
    producerEpoch: since(5, int16, -1),
  }),
  handle({ transactionalId, committed, ...producer }, { broker, version }) {
    const refusal = broker.transactionRefusal(transactionalId)
    if (refusal !== undefined) return { errorCode: refusal, ...NO_PRODUCER }
    const outcome = committed ? 'commit' : 'abort'
    const { errorCode, producerId, producerEpoch } = outcomeOf(() => {
      if (version >= BUMP_VERSION) return broker.transactions.endAndBump(transactionalId, producer, outcome)
      broker.transactions.end(transactionalId, producer, outcome)
      return producer
    }, NO_PRODUCER)
    return { errorCode: fencedAs(errorCode, { knowsFenced: version >= 2 }), producerId, producerEpoch }
  },
})
