import { describe, expect, it } from 'vitest'
import type { Contender } from './area.ts'
import { compare, median } from './compare.ts'
import { table } from './table.ts'

/** Gives the rates one after another, and notes when it was asked. */
function contender(name: string, rates: number[], asked: string[] = []): Contender {
  return {
    name,
    measure: async () => {
      asked.push(name)
      return rates.shift() ?? Number.NaN
    },
  }
}

describe('compare', () => {
  it('takes the median of the ratios of each round, after a warm-up', async () => {
    const ours = contender('ours', [1, 100, 90, 10])
    const peer = contender('peer', [1000, 100, 100, 100])
    const [result] = await compare([{ what: 'x', ours, peer, atLeast: 0.9 }], 3)
    expect(result).toMatchObject({ oursRate: 90, peerRate: 100, ratio: 0.9, holds: true })
  })

  it('alternates, and measures a contender of two rows once a round', async () => {
    const asked: string[] = []
    const [a, b, c] = ['a', 'b', 'c'].map((name) => contender(name, [1, 1, 1], asked))
    if (a === undefined || b === undefined || c === undefined) throw new Error('three are made above')
    const rows = [b, c].map((peer) => ({ what: 'x', ours: a, peer, atLeast: 1 }))
    await compare(rows, 2)
    expect(asked.join('')).toBe('abcabccba')
  })

  it('says how much longer ours takes, and compares that with its budget', async () => {
    const [ours, peer] = [contender('ours', [1, 1000, 500, 400]), contender('peer', [1, 2000, 1000, 2000])]
    const row = { what: 'x', ours, peer, atMostLonger: 0.0009 }
    const [result] = await compare([row], 3)
    expect(result?.longer).toBeCloseTo(0.001, 9)
    expect(result?.holds).toBe(false)
    expect(table('calls per second', result ? [result] : [])).toMatch(/ \+1\.00 ms +≤ \+900\.00 µs +MISSED/)
  })

  it('shows a row without a budget', async () => {
    const row = { what: 'x', ours: contender('ours', [1, 1]), peer: contender('peer', [2, 2]) }
    const results = await compare([row], 1)
    expect(results).toMatchObject([{ ratio: 0.5, holds: true }])
    expect(table('calls per second', results)).not.toMatch(/holds|MISSED/)
  })

  it('shows a missed budget in the table', async () => {
    const row = { what: 'claims', ours: contender('ours', [80, 80]), peer: contender('peer', [100, 100]), atLeast: 0.9 }
    const text = table('requests per CPU second', await compare([row], 1))
    expect(text).toMatch(/claims +ours 80\.0 +peer 100 +0\.80 +≥ 0\.90 +MISSED/)
  })
})

describe('median', () => {
  it('is the middle one, or between the two middle ones', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(() => median([])).toThrow(RangeError)
  })
})
