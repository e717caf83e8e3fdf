import { codeOf } from '../../protocol/protocol-error.ts'
import { bool, int16, int32, int64, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { fencedAs } from './fenced-as.ts'

export const endTxn = defineApi({
  key: 26,
  name: 'EndTxn',
  minVersion: 0,
  maxVersion: 3,
  flexibleSince: 3,
  request: struct({ transactionalId: string, producerId: int64, producerEpoch: int16, committed: bool }),
  response: struct({ throttleTimeMs: constant(int32, 0), errorCode: int16 }),
  handle(producer, { broker, version }) {
    const outcome = producer.committed ? 'commit' : 'abort'
    const errorCode = codeOf(() => broker.transactions.end(producer.transactionalId, producer, outcome))
    return { errorCode: fencedAs(errorCode, { knowsFenced: version >= 2 }) }
  },
})
