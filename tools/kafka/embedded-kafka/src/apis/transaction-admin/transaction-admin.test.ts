import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { Clock } from '../../clock.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import type { ProducerIdentity } from '../../transactions/transaction.ts'
import type { Api } from '../definition/api.ts'
import { describeProducers } from './describe-producers.ts'
import { describeTransactions } from './describe-transactions.ts'
import { listTransactions } from './list-transactions.ts'

const NONE: ProducerIdentity = { producerId: -1, producerEpoch: -1 }

describe('the administration of transactions', () => {
  let broker: SoleBroker
  let now = 1_700_000_000_000
  let open: ProducerIdentity

  beforeEach(() => {
    broker = openTestBroker({
      defaultPartitions: 2,
      clock: new Clock(() => now),
    })
    broker.topics.create('sold')
    broker.transactions.init('idle', 1000, NONE)
    open = broker.transactions.init('open', 60_000, NONE)
    const partitions = [0, 1].map((partition) => ({ topic: 'sold', partition }))
    broker.transactions.add('open', open, { partitions })
  })
  afterEach(() => broker.close())

  const ask = (api: Api, request: unknown) => api.handle(request, makeContext(broker, 1))

  const list = (filters: object) =>
    ask(listTransactions, { stateFilters: [], producerIdFilters: [], durationFilter: -1, ...filters })

  it('describes a transaction, and says which id it does not know', async () => {
    expect(await ask(describeTransactions, { transactionalIds: ['open', 'idle', 'nobody'] })).toMatchObject({
      transactionStates: [
        {
          errorCode: ErrorCode.NONE,
          transactionState: 'Ongoing',
          transactionTimeoutMs: 60_000,
          transactionStartTimeMs: now,
          ...open,
          topics: [{ name: 'sold', partitions: [0, 1] }],
        },
        { errorCode: ErrorCode.NONE, transactionState: 'Empty', transactionStartTimeMs: -1, topics: [] },
        { errorCode: ErrorCode.TRANSACTIONAL_ID_NOT_FOUND, transactionalId: 'nobody' },
      ],
    })
    broker.transactions.end('open', open, 'abort')
    expect(await ask(describeTransactions, { transactionalIds: ['open'] })).toMatchObject({
      transactionStates: [{ transactionState: 'CompleteAbort' }],
    })
  })

  it.each([
    ['all', {}, ['idle', 'open']],
    ['those of a state', { stateFilters: ['Ongoing'] }, ['open']],
    ['those of a producer', { producerIdFilters: [12_345] }, []],
    ['none of a state that nobody knows', { stateFilters: ['Sleeping'] }, []],
    ['those that have been open for long', { durationFilter: 5000 }, ['open']],
    ['none that has been open for longer than all', { durationFilter: 20_000 }, []],
  ])('lists %s', (_case, filters, expected) => {
    now += 10_000
    const { transactionStates } = list(filters) as { transactionStates: { transactionalId: string }[] }
    expect(transactionStates.map(({ transactionalId }) => transactionalId)).toEqual(expected)
  })

  it('names the state filters that it does not know', () => {
    expect(list({ stateFilters: ['Sleeping', 'Empty'] })).toMatchObject({ unknownStateFilters: ['Sleeping'] })
  })

  it('describes the producers of a partition, and says which partition it does not know', async () => {
    const topics = [{ name: 'sold', partitions: [0, 7] }]
    expect(await ask(describeProducers, { topics })).toMatchObject({
      topics: [
        {
          partitions: [
            { index: 0, errorCode: ErrorCode.NONE, activeProducers: [] },
            { index: 7, errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION },
          ],
        },
      ],
    })
  })
})
