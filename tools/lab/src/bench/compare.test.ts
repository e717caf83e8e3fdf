import { describe, expect, it } from 'vitest'
import type { Contender } from '../harness/contender.ts'
import { compare } from './compare.ts'
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
    expect(result).toMatchObject({ oursRate: 90, peerRate: 100, ratio: { median: 0.9 }, verdict: 'holds' })
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
    expect(result?.longer.median).toBeCloseTo(0.001, 9)
    expect(result?.verdict).toBe('MISSED')
    expect(table({ unit: 'calls per second' }, result ? [result] : [])).toMatch(/ \+1\.00 ms +≤ \+900\.00 µs +MISSED/)
  })

  it('shows a row without a budget', async () => {
    const row = { what: 'x', ours: contender('ours', [1, 1]), peer: contender('peer', [2, 2]) }
    const results = await compare([row], 1)
    expect(results).toMatchObject([{ ratio: { median: 0.5 }, verdict: undefined }])
    expect(table({ unit: 'calls per second' }, results)).not.toMatch(/holds|MISSED/)
  })

  it('says that a budget is missed only when the whole interval is past it', async () => {
    const rounds = [0.9, 0.91, 0.92, 0.93, 0.94, 0.96, 1]
    const ours = () => contender('ours', [1, ...rounds.map((ratio) => ratio * 100)])
    const peer = () => contender('peer', [1, ...rounds.map(() => 100)])
    const budgets = [0.93, 0.99, 1.01]
    const results = await compare(
      budgets.map((atLeast) => ({ what: 'x', ours: ours(), peer: peer(), atLeast })),
      rounds.length,
    )
    expect(results.map(({ verdict }) => verdict)).toEqual(['holds', 'in noise', 'MISSED'])
    expect(table({ unit: 'calls per second' }, results)).toMatch(/0\.93 +0\.90 to 1\.00 +≥ 0\.99 +in noise/)
  })

  it('says the same of a budget of time', async () => {
    const seconds = [0.0015, 0.002, 0.003, 0.004, 0.005, 0.006]
    const ours = () => contender('ours', [1, ...seconds.map((longer) => 1 / (1 + longer))])
    const peer = () => contender('peer', [1, ...seconds.map(() => 1)])
    const results = await compare(
      [0.0035, 0.002, 0.0014].map((atMostLonger) => ({ what: 'x', ours: ours(), peer: peer(), atMostLonger })),
      seconds.length,
    )
    expect(results.map(({ verdict }) => verdict)).toEqual(['holds', 'in noise', 'MISSED'])
    expect(table({ unit: 'calls per second' }, results)).toMatch(
      /\+3\.50 ms +\+1\.50 ms to \+6\.00 ms +≤ \+2\.00 ms +in noise/,
    )
  })

  it('shows a missed budget in the table', async () => {
    const row = { what: 'claims', ours: contender('ours', [80, 80]), peer: contender('peer', [100, 100]), atLeast: 0.9 }
    const text = table({ unit: 'requests per CPU second' }, await compare([row], 1))
    expect(text).toMatch(/claims +ours 80\.0 +peer 100 +0\.80 +≥ 0\.90 +MISSED/)
  })
})
