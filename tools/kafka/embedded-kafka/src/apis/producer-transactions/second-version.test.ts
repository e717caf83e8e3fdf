import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeBatch } from '../../../tests/make-batch.ts'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { Clock } from '../../clock.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import type { ProducerIdentity } from '../../transactions/transaction.ts'
import { ZERO_UUID } from '../../wire/primitives.ts'
import type { Api } from '../definition/api.ts'
import { produce } from '../produce/produce.ts'
import { addPartitionsToTxn } from './add-partitions-to-txn.ts'
import { endTxn } from './end-txn.ts'
import { txnOffsetCommit } from './txn-offset-commit.ts'

const { NONE, INVALID_TXN_STATE, INVALID_PRODUCER_EPOCH, PRODUCER_FENCED, TRANSACTION_ABORTABLE } = ErrorCode
const transactionalId = 'id'

/** Every answer here was compared with Apache Kafka 4.1.0's to the same request. */
describe('decisions 3.63: transactions of the second version', () => {
  let broker: SoleBroker
  let producer: ProducerIdentity

  beforeEach(() => {
    broker = openTestBroker({
      defaultPartitions: 2,
      clock: new Clock(() => 1000),
    })
    broker.topics.create('t')
    producer = broker.transactions.init(transactionalId, 60_000, { producerId: -1, producerEpoch: -1 })
  })
  afterEach(() => broker.close())

  async function ask<T>(api: Api, version: number, request: object): Promise<T> {
    const answer = await api.handle(request, makeContext(broker, version))
    return answer as T
  }

  interface Codes {
    readonly topics: readonly { readonly partitions: readonly { readonly errorCode: number }[] }[]
  }
  const codeOf = ({ topics }: Codes) => topics[0]?.partitions[0]?.errorCode

  const end = (producerEpoch: number, outcome: 'commit' | 'abort', version = 5) => {
    const committed = outcome === 'commit'
    return ask<object>(endTxn, version, { transactionalId, ...producer, producerEpoch, committed })
  }
  const write = async (version: number, producerEpoch: number, baseSequence = 0) => {
    const records = makeBatch({ ...producer, producerEpoch, baseSequence, transactional: true })
    const topics = [{ name: 't', topicId: ZERO_UUID, partitions: [{ index: 0, records }] }]
    return codeOf(await ask<Codes>(produce, version, { transactionalId, acks: -1, timeoutMs: 1, topics }))
  }
  const goesOnWith = (producerEpoch: number) => ({ errorCode: NONE, producerId: producer.producerId, producerEpoch })
  const refused = (errorCode: number) => ({ errorCode, producerId: -1, producerEpoch: -1 })

  it('give the producer its next epoch with each end, and the same one again when it asks again', async () => {
    expect(await end(0, 'commit')).toEqual(refused(INVALID_TXN_STATE))
    expect(await end(0, 'abort')).toMatchObject(goesOnWith(1))
    expect(await end(0, 'abort')).toMatchObject(goesOnWith(1))
    expect(await end(0, 'commit')).toEqual(refused(INVALID_TXN_STATE))
    expect(await write(12, 1)).toBe(NONE)
    expect(await end(1, 'commit')).toMatchObject(goesOnWith(2))
    expect(await end(1, 'commit')).toMatchObject(goesOnWith(2))
    expect(await end(1, 'abort')).toEqual(refused(INVALID_TXN_STATE))
    expect(await end(2, 'commit')).toEqual(refused(INVALID_TXN_STATE))
    expect(await write(12, 1, 1)).toBe(INVALID_PRODUCER_EPOCH)
    expect(await write(12, 2)).toBe(NONE)
    expect(await end(1, 'commit')).toEqual(refused(PRODUCER_FENCED))
    expect(await end(7, 'commit')).toEqual(refused(PRODUCER_FENCED))
    expect(await end(2, 'abort')).toMatchObject(goesOnWith(3))
    const { abortedTransactions } = broker.topics
      .partition('t', 0)
      .read({ fromOffset: 0, isolation: 'read_committed', maxBytes: 10_000, atLeastOne: true })
    expect(abortedTransactions).toMatchObject([{ firstOffset: 2 }])
  })

  it('are given another producer id when the epochs of one are used up', async () => {
    for (let epoch = 0; epoch < 32_766; epoch += 1)
      broker.transactions.endAndBump(transactionalId, { ...producer, producerEpoch: epoch }, 'abort')
    expect(await write(12, 32_766)).toBe(NONE)
    const next = broker.transactions.endAndBump(transactionalId, { ...producer, producerEpoch: 32_766 }, 'commit')
    expect(next.producerId).not.toBe(producer.producerId)
    expect(next.producerEpoch).toBe(0)
    expect(await end(32_766, 'commit')).toMatchObject({ producerId: next.producerId, producerEpoch: 0 })
    expect(await end(32_766, 'abort')).toEqual(refused(INVALID_TXN_STATE))
  })

  it('take in partitions that are written to, from clients that announce none', async () => {
    expect(await write(10, 0)).toBe(INVALID_TXN_STATE)
    expect(await write(11, 0)).toBe(TRANSACTION_ABORTABLE)
    expect(await write(12, 0)).toBe(NONE)
    expect(broker.transactions.all.get(transactionalId)?.phase).toMatchObject({
      kind: 'ongoing',
      partitions: [{ topic: 't', partition: 0 }],
    })
    expect(await write(11, 0, 1)).toBe(NONE)
  })

  it('take in groups whose offsets are committed', async () => {
    await write(12, 0)
    const commit = async (version: number) => {
      const partitions = [{ index: 0, offset: 7, leaderEpoch: -1, metadata: '' }]
      const member = { generationId: -1, memberId: '', groupInstanceId: null }
      const request = { transactionalId, groupId: 'g', ...producer, ...member, topics: [{ name: 't', partitions }] }
      return codeOf(await ask<Codes>(txnOffsetCommit, version, request))
    }
    expect(await commit(3)).toBe(INVALID_TXN_STATE)
    expect(await commit(4)).toBe(TRANSACTION_ABORTABLE)
    expect(await commit(5)).toBe(NONE)
    expect(broker.groups.offsets.find('g', 't', 0)).toBeUndefined()
    await end(0, 'commit')
    expect(broker.groups.offsets.find('g', 't', 0)).toMatchObject({ offset: 7 })
  })

  it('are asked about by brokers, who may also add partitions of several', async () => {
    await write(12, 0)
    const asked = async (version: number, index: number, verifyOnly: boolean) => {
      const topics = [{ name: 't', partitions: [index] }]
      const transactions = [{ transactionalId, ...producer, verifyOnly, topics }]
      const answer = await ask<{ transactions: readonly Codes[] }>(addPartitionsToTxn, version, { transactions })
      return answer.transactions[0] && codeOf(answer.transactions[0])
    }
    expect(await asked(4, 0, true)).toBe(NONE)
    expect(await asked(4, 1, true)).toBe(TRANSACTION_ABORTABLE)
    expect(await asked(5, 1, true)).toBe(TRANSACTION_ABORTABLE)
    expect(await asked(5, 1, false)).toBe(NONE)
    expect(await asked(5, 1, true)).toBe(NONE)
  })

  it('leave clients of the first version in their epoch', async () => {
    broker.transactions.add(transactionalId, producer, { partitions: [{ topic: 't', partition: 0 }] })
    expect(await write(11, 0)).toBe(NONE)
    expect(await end(0, 'commit', 4)).toMatchObject({ errorCode: NONE })
    expect(broker.transactions.all.get(transactionalId)).toMatchObject({ producerEpoch: 0 })
  })
})
