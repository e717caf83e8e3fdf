import { describe, expect, it } from 'vitest'
import { stateRows } from '../../page/metrics/state-bands.ts'
import { isolatedSamples } from '../../page/pieces/isolated-samples.ts'
import type { Series } from '../../src/api/traces.ts'

describe('isolated samples of a chart', () => {
  it.each([
    ['a single sample', [null, 5, null], [1]],
    ['the first and the last one', [1, null, 2], [0, 2]],
    ['none in a line', [1, 2, null, 3, 4], []],
    ['a sample beside times of other lines', [undefined, 1, undefined, null, undefined, 2, 3], [1]],
  ])('are %s', (_case, values, found) => {
    expect(isolatedSamples(values)).toEqual(found)
  })
})

describe('bands of states', () => {
  const MINUTE = 60_000
  const series = (state: string, samples: readonly (readonly [time: number, value: number])[]): Series => ({
    ...{ name: 'ft_circuitbreaker_state_current', service: 'shop', labels: { method: 'films', state }, unit: 'count' },
    times: samples.map(([time]) => time),
    values: samples.map(([, value]) => value),
  })

  it('follow each other while the state of a breaker changes', () => {
    const closed = series('closed', [
      [1000, 1],
      [2000, 0],
      [3000, 1],
    ])
    const open = series('open', [
      [1000, 0],
      [2000, 1],
      [3000, 0],
    ])
    expect(stateRows([closed, open])).toEqual([
      {
        label: 'shop · films',
        bands: [
          { state: 'closed', health: 'up', from: 1000, to: 2000 },
          { state: 'open', health: 'down', from: 2000, to: 3000 },
          { state: 'closed', health: 'up', from: 3000, to: 3000 },
        ],
      },
    ])
  })

  it('leave a gap where nothing was read', () => {
    const samples = [1000, 2000, 5 * MINUTE].map((time) => [time, 1] as const)
    expect(stateRows([series('halfOpen', samples)])[0]?.bands).toEqual([
      { state: 'halfOpen', health: 'warn', from: 1000, to: 2000 },
      { state: 'halfOpen', health: 'warn', from: 5 * MINUTE, to: 5 * MINUTE },
    ])
  })
})
