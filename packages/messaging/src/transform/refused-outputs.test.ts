import { expect, it } from 'vitest'
import { RefusedOutputs } from './refused-outputs.ts'

const BATCH = 2000

/** Transactions that it takes until all of a batch are done, where Kafka refuses the outputs of one of them. */
function countTransactions(bad: number): { readonly failed: number; readonly all: number } {
  const refused = new RefusedOutputs()
  const count = { failed: 0, all: 0 }
  for (let next = 0; next < BATCH; ) {
    const atOnce = refused.atOnce(0, BigInt(next)) ?? BATCH
    const size = Math.min(atOnce, BATCH - next)
    const messages = Array.from({ length: size }, (_, index) => ({ offset: String(next + index) }))
    count.all += 1
    if (messages.some(({ offset }) => Number(offset) === bad && !refused.isRefused(0, BigInt(offset)))) {
      count.failed += 1
      refused.note(0, messages)
    } else next += size
  }
  return count
}

it.each([0, 1, 777, 1960, BATCH - 1])('finds message %i of a large transaction with few others', (bad) => {
  const { failed, all } = countTransactions(bad)
  expect(failed).toBe(3)
  expect(all).toBeLessThan(100)
})

it('suspects only the partition whose outputs were refused', () => {
  const refused = new RefusedOutputs()
  refused.note(
    1,
    ['5', '6'].map((offset) => ({ offset })),
  )
  expect([refused.atOnce(1, 5n), refused.atOnce(1, 6n), refused.atOnce(1, 7n), refused.atOnce(0, 5n)]).toEqual([
    1,
    1,
    undefined,
    undefined,
  ])
})
