import { describe, expect, it } from 'vitest'
import { checkOrders, type OrderRow, type OrdersHistory } from './check-orders.ts'

const row = (customer: string, number: number): OrderRow => ({ id: `${customer}-${number}`, customer, number })
const message = ({ id, customer, number }: OrderRow, offset: number) => ({
  ...{ partition: 0, offset: BigInt(offset) },
  ...{ key: customer, value: JSON.stringify({ id, number }) },
})
const rows = [row('ann', 1), row('ann', 2), row('bob', 1)]

function findingsOf(messages: readonly OrderRow[], history: Partial<OrdersHistory> = {}) {
  const committed = new Set(rows.map(({ id }) => id))
  const all = { committed, rolledBack: new Set(['ann-9']), rows, messages: messages.map(message), ...history }
  return checkOrders(all).findings
}

describe('checkOrders', () => {
  it('finds nothing when each order has one message, and customers are mixed', () => {
    expect(findingsOf([row('ann', 1), row('bob', 1), row('ann', 2)])).toEqual([])
  })

  it.each<[string, readonly OrderRow[], string]>([
    ['a message that is missing', [row('ann', 1), row('bob', 1)], 'missing: 1, such as ann-2'],
    ['a message that came twice', [...rows, row('ann', 1)], 'duplicates: 1, such as ann-1'],
    [
      'messages that changed places',
      [row('ann', 2), row('ann', 1), row('bob', 1)],
      'order violations: 1, such as ann-1',
    ],
    ['a message that was rolled back', [...rows, row('ann', 9)], 'messages of rolled-back orders: 1, such as ann-9'],
    ['a message without a row', [...rows, row('ann', 3)], 'messages of no order: 1, such as ann-3'],
    [
      'a message with another number',
      [...rows, { ...row('ann', 2), number: 7 }],
      'messages of no order: 1, such as ann-2',
    ],
  ])('finds %s', (_case, messages, finding) => {
    expect(findingsOf(messages)).toEqual([finding])
  })

  it('finds an answer that the database does not confirm', () => {
    expect(findingsOf(rows, { committed: new Set(['ann-3']) })).toEqual([
      'committed orders without a row: 1, such as ann-3',
    ])
    expect(findingsOf(rows, { rolledBack: new Set(['bob-1']) })).toEqual(
      expect.arrayContaining(['rolled-back orders with a row: 1, such as bob-1']),
    )
  })
})
