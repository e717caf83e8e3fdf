import { describe, expect, it } from 'vitest'
import { checkPairs } from './check-pairs.ts'

const TRANSACTIONS = [
  { number: 0, outcome: 'commit' },
  { number: 1, outcome: 'abort' },
  { number: 2, outcome: undefined },
] as const

describe('decisions 3.92: checkPairs', () => {
  it('finds nothing where all are whole, also one whose end is unknown', () => {
    expect(checkPairs(TRANSACTIONS, [[0], [0]], 0)).toEqual([])
    expect(
      checkPairs(
        TRANSACTIONS,
        [
          [0, 2],
          [0, 2],
        ],
        2,
      ),
    ).toEqual([])
  })

  it.each([
    ['one that is half there', [0, 2], [0], 2, 'the transaction 2 is half there'],
    ['one that is lost', [], [], -1, 'the transaction 0 was committed and is not there'],
    ['an aborted one', [0, 1], [0, 1], 1, 'the transaction 1 was aborted and is seen'],
    ['one that is doubled', [0, 0], [0, 0], 0, 'partition 0: 0 comes after 0'],
    ['offsets of another one', [0], [0], 2, 'the group is at 2, the last transaction is 0'],
  ])('finds %s', (_what, left, right, offset, finding) => {
    expect(checkPairs(TRANSACTIONS, [left, right], offset)).toContain(finding)
  })
})
