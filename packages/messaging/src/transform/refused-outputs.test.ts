import { expect, it } from 'vitest'
import { RefusedOutputs } from './refused-outputs.ts'

/** Transactions that it takes until all of a batch are done, where Kafka refuses the outputs of some of them. */
function countTransactions(bad: readonly number[], batch = 2000): { readonly failed: number; readonly all: number } {
  const refused = new RefusedOutputs()
  const count = { failed: 0, all: 0 }
  for (let next = 0; next < batch; ) {
    const atOnce = refused.atOnce(0, BigInt(next)) ?? batch
    const size = Math.min(atOnce, batch - next)
    const messages = Array.from({ length: size }, (_, index) => ({ offset: String(next + index) }))
    count.all += 1
    if (
      messages.some(({ offset }) => bad.includes(Number(offset)) && refused.refusal(0, BigInt(offset)) === undefined)
    ) {
      count.failed += 1
      refused.note(0, messages, new Error('too large'))
    } else next += size
  }
  return count
}

it.each([0, 1, 777, 1960, 1999])('finds message %i of a large transaction with few others', (bad) => {
  const { failed, all } = countTransactions([bad])
  expect(failed).toBe(3)
  expect(all).toBeLessThan(100)
})

it('goes on with small transactions after the first that was found', () => {
  expect(countTransactions([100, 500, 1500]).failed).toBe(1 + 3 * 2)
  expect(countTransactions([100, 101]).failed).toBe(1 + 1 + 2)
})

it('divides very large ones once more', () => {
  expect(countTransactions([7000], 10_000).failed).toBe(4)
})

it('does not divide a single message, and refuses none of those that took too long', () => {
  const refused = new RefusedOutputs()
  refused.divide(0, [{ offset: '7' }])
  expect([refused.atOnce(0, 7n), refused.refusal(0, 7n)]).toEqual([undefined, undefined])
})

it('suspects only the partition whose outputs were refused', () => {
  const refused = new RefusedOutputs()
  refused.note(
    1,
    ['5', '6'].map((offset) => ({ offset })),
    new Error('too large'),
  )
  expect([refused.atOnce(1, 5n), refused.atOnce(1, 6n), refused.atOnce(1, 7n), refused.atOnce(0, 5n)]).toEqual([
    1,
    1,
    undefined,
    undefined,
  ])
})
