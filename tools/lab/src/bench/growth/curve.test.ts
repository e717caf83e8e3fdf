import { describe, expect, it } from 'vitest'
import type { Contender } from '../../harness/contender.ts'
import { judgeGrowth, measureCurve, TOLERANCE } from './curve.ts'

const ROUNDS = [0.98, 1, 1.02, 0.99, 1.01, 1, 1.03]

/** The same small noise for every size, with the cost that `cost` gives. */
function measured(sizes: readonly number[], cost: (size: number) => number, noise = ROUNDS) {
  return sizes.map((size) => ({ size, costs: noise.map((factor) => cost(size) * factor) }))
}

const SIZES = [1, 10, 100]

describe('judgeGrowth', () => {
  it.each([
    ['linear', (n: number) => n, 'at most linear'],
    ['linear with a constant part', (n: number) => 50 + n, 'at most linear'],
    ['constant', () => 3, 'at most linear'],
    ['falling', (n: number) => 1 / n, 'at most linear'],
    ['linear within the tolerance', (n: number) => n * (n === 100 ? TOLERANCE * 0.99 : 1), 'at most linear'],
    ['quadratic', (n: number) => n * n, 'WORSE THAN LINEAR'],
    ['n log n from small sizes', (n: number) => n * Math.log2(n + 1), 'WORSE THAN LINEAR'],
    ['worse only from the middle on', (n: number) => (n === 100 ? 3000 : 100), 'WORSE THAN LINEAR'],
    ['worse only up to the middle', (n: number) => (n === 1 ? 1 : 30), 'WORSE THAN LINEAR'],
  ])('of a cost that is %s', (_, cost, verdict) => {
    expect(judgeGrowth(measured(SIZES, cost)).verdict).toBe(verdict)
  })

  it('is in noise when the rounds differ too much', () => {
    const [one, ten] = measured([1, 10], (n) => n)
    const wild = { size: 100, costs: ROUNDS.map((_, round) => (round === 0 ? 100 : 300)) }
    if (one === undefined || ten === undefined) throw new Error('two are made above')
    const { each, verdict } = judgeGrowth([one, ten, wild])
    expect(verdict).toBe('in noise')
    expect(each.median).toBeGreaterThan(TOLERANCE)
    expect(each.low).toBeLessThan(TOLERANCE)
  })

  it('gives medians, and how much more each costs at the largest size', () => {
    const { costs, each } = judgeGrowth(measured(SIZES, (n) => n * (n === 100 ? 1.2 : 1)))
    expect(costs).toEqual([
      { size: 1, cost: 1 },
      { size: 10, cost: 10 },
      { size: 100, cost: 120 },
    ])
    for (const value of Object.values(each)) expect(value).toBeCloseTo(1.2, 9)
  })

  it('refuses one size', () => {
    expect(() => judgeGrowth(measured([1], (n) => n))).toThrow(RangeError)
  })
})

describe('measureCurve', () => {
  it('takes costs from rates of calls, after a warm-up, by how many calls are the whole', async () => {
    const contender = (rates: number[]): Contender => ({
      name: 'ours',
      measure: async () => rates.shift() ?? Number.NaN,
    })
    const points = [
      { size: 1, contender: contender([9, 100, 100]) },
      { size: 10, calls: 10, contender: contender([9, 100, 100]) },
    ]
    expect(await measureCurve({ of: 'tokens', what: 'a request', points }, 2)).toMatchObject({
      of: 'tokens',
      what: 'a request',
      rounds: 2,
      costs: [
        { size: 1, cost: 0.01 },
        { size: 10, cost: 0.1 },
      ],
      each: { median: 1 },
      verdict: 'at most linear',
    })
  })
})
