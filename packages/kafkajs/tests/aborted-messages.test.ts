import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'

interface Record {
  readonly offset: string
  readonly key: Buffer | null
  readonly batchContext: { readonly producerId: string; readonly inTransaction: boolean }
}

const filterAborted = createRequire(import.meta.url)('kafkajs/src/consumer/filterAbortedMessages.js') as (partition: {
  readonly messages: readonly Record[]
  readonly abortedTransactions: readonly { readonly producerId: string; readonly firstOffset: string }[]
}) => readonly Record[]

const ABORT = Buffer.alloc(4)
const COMMIT = Buffer.from([0, 0, 0, 1])
const record = (offset: number, producerId: string, key: Buffer | null = null): Record => ({
  offset: String(offset),
  key,
  batchContext: { producerId, inTransaction: true },
})
const offsetsOf = (records: readonly Record[]) =>
  records.filter(({ key }) => key === null).map(({ offset }) => Number(offset))

describe('messages of aborted transactions', () => {
  it('are left out when the transaction that began first ends last', () => {
    const messages = [
      record(1, 'a'),
      record(2, 'a'),
      record(3, 'b'),
      record(4, 'b', ABORT),
      record(5, 'a'),
      record(6, 'a', ABORT),
    ]
    const after = [record(7, 'a'), record(8, 'b'), record(9, 'a', COMMIT), record(10, 'b', COMMIT)]
    // In the order in which they ended, as Kafka lists them.
    const abortedTransactions = [
      { producerId: 'b', firstOffset: '3' },
      { producerId: 'a', firstOffset: '1' },
    ]
    expect(offsetsOf(filterAborted({ messages: [...messages, ...after], abortedTransactions }))).toEqual([7, 8])
  })

  it('are left out when reading begins within several transactions', () => {
    const messages = [
      record(100, 'b'),
      record(101, 'a'),
      record(102, 'a', ABORT),
      record(103, 'b', ABORT),
      record(104, 'a'),
    ]
    const abortedTransactions = [
      { producerId: 'a', firstOffset: '10' },
      { producerId: 'b', firstOffset: '20' },
    ]
    expect(offsetsOf(filterAborted({ messages, abortedTransactions }))).toEqual([104])
  })
})
