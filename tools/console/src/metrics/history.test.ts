import { describe, expect, it } from 'vitest'
import { ServiceHistory } from './history.ts'

const point = (name: string, value: number) => ({ name, labels: {}, unit: 'count' as const, value })
const all = () => true

describe('ServiceHistory', () => {
  it('keeps the newest moments, and nothing that is older than an hour', () => {
    const history = new ServiceHistory({ maxMoments: 4, keepMs: 25 })
    for (const time of [10, 20, 30, 40, 50]) history.add(time, [point('a', time)])
    expect(history.read('shop', 0, all)).toEqual([
      { name: 'a', service: 'shop', labels: {}, unit: 'count', times: [30, 40, 50], values: [30, 40, 50] },
    ])
    expect(history.read('shop', 40, all)).toMatchObject([{ times: [50] }])
  })

  it('has a gap where a curve has no value, and forgets it when it has had none for all moments', () => {
    const history = new ServiceHistory({ maxMoments: 3, maxSeries: 2 })
    history.add(1, [point('a', 1), point('b', 1)])
    history.add(2, [point('a', 2)])
    expect(history.read('shop', 0, all)).toMatchObject([{ values: [1, 2] }, { values: [1, null] }])
    history.add(3, [point('a', 3), point('c', 3)])
    history.add(4, [point('a', 4)])
    history.add(5, [point('a', 5), point('c', 5)])
    // There was no room for c until b was gone.
    expect(history.read('shop', 0, all).map(({ name, values }) => [name, values])).toEqual([
      ['a', [3, 4, 5]],
      ['c', [null, null, 5]],
    ])
  })
})
