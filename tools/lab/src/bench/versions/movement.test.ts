import { describe, expect, it } from 'vitest'
import type { Samples } from '../samples.ts'
import { compareSamples, movementTable } from './movement.ts'

function samples(row: string, rates: readonly number[]): Samples {
  return { area: 'claim', row, name: 'claim-api', unit: 'per second', samples: rates }
}

const EVEN = [100, 110, 90, 105, 95, 100]

describe('compareSamples', () => {
  it.each([
    ['better when all of the interval is above 1', 1.01, 'better'],
    ['worse when all of it is below', 0.99, 'worse'],
    ['in noise when nothing changed', 1, 'in noise'],
  ])('is %s', (_, factor, move) => {
    const newer = EVEN.map((rate) => rate * factor)
    const [row] = compareSamples([samples('known', EVEN)], [samples('known', newer)]).both
    expect(row?.move).toBe(move)
    expect(row?.ratio.median).toBeCloseTo(factor, 9)
    expect(row).toMatchObject({ row: 'known', name: 'claim-api', oldRate: 100, newRate: 100 * factor })
  })

  it('is in noise when the interval has 1 in it', () => {
    const newer = EVEN.map((rate, round) => rate * (round === 0 ? 0.99 : 1.5))
    expect(compareSamples([samples('known', EVEN)], [samples('known', newer)]).both).toMatchObject([
      { ratio: { median: 1.5, low: 0.99, high: 1.5 }, move: 'in noise' },
    ])
  })

  it('says nothing of fewer than six rounds', () => {
    const five = EVEN.slice(1)
    const newer = five.map((rate) => rate * 2)
    expect(compareSamples([samples('known', five)], [samples('known', newer)]).both).toMatchObject([
      { ratio: { median: 2 }, move: 'in noise' },
    ])
  })

  it('joins the rounds of several runs, in their order', () => {
    const runs = (factor: number) => EVEN.map((rate) => samples('known', [rate * factor]))
    expect(compareSamples(runs(1), runs(2)).both).toMatchObject([
      { ratio: { median: 2, low: 2, high: 2 }, oldRate: 100, newRate: 200 },
    ])
  })

  it('names rows that only one version has', () => {
    const compared = compareSamples(
      [samples('gone', EVEN), samples('known', EVEN)],
      [samples('known', EVEN), samples('added', EVEN)],
    )
    expect(compared.onlyOld).toEqual(['claim: gone, claim-api'])
    expect(compared.onlyNew).toEqual(['claim: added, claim-api'])
    const text = movementTable(compared, 'v1')
    expect(text).toMatch(/known +claim-api +100 +100 +1\.000 +in noise +per second/)
    expect(text).toContain('v1 has no row claim: added, claim-api\nonly v1 has the row claim: gone, claim-api')
  })

  it('refuses versions with different numbers of rounds', () => {
    expect(() => compareSamples([samples('known', EVEN)], [samples('known', [1])])).toThrow(RangeError)
  })
})

describe('movementTable', () => {
  it('shows by how much a row moved, and how sure that is', () => {
    const newer = EVEN.map((rate, round) => rate * (0.8 + round / 100))
    expect(movementTable(compareSamples([samples('known', EVEN)], [samples('known', newer)]), 'HEAD^')).toMatch(
      /HEAD\^ +this +ratio.*\nknown +claim-api +100 +\S+ +0\.825 +0\.800 to 0\.850 +worse +per second/,
    )
  })
})
