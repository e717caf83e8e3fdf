import { describe, expect, it } from 'vitest'
import { mergeReports, quantile } from './crowd-figures.ts'

describe('mergeReports', () => {
  it('adds up, and takes the client that is furthest behind', () => {
    const one = {
      events: 3,
      outOfOrder: 1,
      closed: 0,
      reading: 2,
      lowestNext: 7,
      lagMs: [
        [1, 2],
        [5, 1],
      ] as const,
    }
    const two = {
      events: 4,
      outOfOrder: 0,
      closed: 2,
      reading: 1,
      lowestNext: 6,
      lagMs: [
        [0, 3],
        [5, 1],
      ] as const,
    }
    expect(mergeReports([one, two])).toEqual({
      events: 7,
      outOfOrder: 1,
      closed: 2,
      reading: 3,
      lowestNext: 6,
      lagMs: [
        [0, 3],
        [1, 2],
        [5, 2],
      ],
    })
  })
})

describe('quantile', () => {
  it('is the time within which so many events came', () => {
    const lagMs = [
      [0, 50],
      [2, 49],
      [90, 1],
    ] as const
    expect([0.5, 0.51, 0.99, 1].map((part) => quantile(lagMs, part))).toEqual([0, 2, 2, 90])
    expect(quantile([], 1)).toBeNaN()
  })
})
