import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { codeOf } from '../../protocol/protocol-error.ts'
import type { ProducerIdentity } from '../../transactions/transaction.ts'
import { mapInTurns } from '../../turn.ts'
import type { Infer } from '../../wire/codec.ts'
import { array, bool, int16, int32, int64, string } from '../../wire/primitives.ts'
import { between, constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, errorsByTopic, forPartitions } from '../definition/by-topic.ts'
import { fencedAs } from './fenced-as.ts'

/** Up to this version one transaction, as clients send it; later several, as brokers do (KIP-890). */
export const LAST_CLIENT_VERSION = 3

const topics = byTopic(int32)

const request = struct({
  transactions: since(
    LAST_CLIENT_VERSION + 1,
    array(struct({ transactionalId: string, producerId: int64, producerEpoch: int16, verifyOnly: bool, topics })),
    [],
  ),
  transactionalId: between(0, LAST_CLIENT_VERSION, string, ''),
  producerId: between(0, LAST_CLIENT_VERSION, int64, 0),
  producerEpoch: between(0, LAST_CLIENT_VERSION, int16, 0),
  topics: between(0, LAST_CLIENT_VERSION, topics, []),
})

type Topics = Infer<typeof topics>

/** Adds all partitions or none. */
function add(broker: Broker, transactionalId: string, producer: ProducerIdentity, wanted: Topics, knowsFenced = true) {
  const isKnown = (topic: string, partition: number) => broker.topics.find(topic)?.partitions[partition] !== undefined
  const partitions = wanted.flatMap((each) => each.partitions.map((partition) => ({ topic: each.name, partition })))
  const errorCode = partitions.every(({ topic, partition }) => isKnown(topic, partition))
    ? (broker.transactionRefusal(transactionalId) ??
      fencedAs(
        codeOf(() => broker.transactions.add(transactionalId, producer, { partitions })),
        { knowsFenced },
      ))
    : ErrorCode.OPERATION_NOT_ATTEMPTED
  return forPartitions(wanted, (index, topic) => ({
    index,
    errorCode: isKnown(topic, index) ? errorCode : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
  }))
}

/** Says of each partition whether the producer may write to it. */
function verify(broker: Broker, transactionalId: string, producer: ProducerIdentity, wanted: Topics) {
  const refusal = broker.transactionRefusal(transactionalId)
  return forPartitions(wanted, (partition, topic) => {
    const check = () => broker.transactions.checkWrite(transactionalId, producer, { topic, partition })
    const code = refusal ?? codeOf(check)
    return {
      index: partition,
      errorCode: code === ErrorCode.INVALID_TXN_STATE ? ErrorCode.TRANSACTION_ABORTABLE : code,
    }
  })
}

export const addPartitionsToTxn = defineApi('AddPartitionsToTxn', {
  request,
  response: struct({
    throttleTimeMs: constant(int32, 0),
    errorCode: since(LAST_CLIENT_VERSION + 1, int16, 0),
    transactions: since(LAST_CLIENT_VERSION + 1, array(struct({ transactionalId: string, topics: errorsByTopic })), []),
    topics: between(0, LAST_CLIENT_VERSION, errorsByTopic, []),
  }),
  async handle({ transactions, transactionalId, topics: wanted, ...producer }, { broker, version }) {
    if (version <= LAST_CLIENT_VERSION) {
      return {
        errorCode: ErrorCode.NONE,
        transactions: [],
        topics: add(broker, transactionalId, producer, wanted, version >= 2),
      }
    }
    return {
      errorCode: ErrorCode.NONE,
      topics: [],
      transactions: await mapInTurns(transactions, (each) => {
        const work = each.verifyOnly ? verify : add
        return {
          transactionalId: each.transactionalId,
          topics: work(broker, each.transactionalId, each, each.topics),
        }
      }),
    }
  },
})
