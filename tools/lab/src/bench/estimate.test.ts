import { describe, expect, it } from 'vitest'
import { estimate, FEWEST_VALUES, median } from './estimate.ts'

describe('estimate', () => {
  // The ranks are those of tables of the sign test, which this interval turns round.
  it.each([
    [6, 1, 6],
    [8, 1, 8],
    [9, 2, 8],
    [12, 3, 10],
    [16, 4, 13],
    [31, 10, 22],
  ])('of %i values is between the %ith and the %ith', (count, low, high) => {
    const values = Array.from({ length: count }, (_, index) => index + 1)
    expect(estimate(values.toReversed())).toEqual({ median: (count + 1) / 2, low, high })
  })

  it('of few values is their median alone', () => {
    expect(FEWEST_VALUES).toBe(6)
    expect(estimate([5, 1, 2, 3, 4])).toEqual({ median: 3, low: 3, high: 3 })
  })
})

describe('median', () => {
  it('is the middle one, or between the two middle ones', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(() => median([])).toThrow(RangeError)
  })
})
