import { describe, expect, it } from 'vitest'
import type { Contender } from '../harness/contender.ts'
import { measureOurs, readSamples } from './samples.ts'

function contender(name: string, rates: number[]): Contender {
  return { name, measure: async () => rates.shift() ?? Number.NaN }
}

const neverMeasured: Contender = { name: 'peer', measure: () => Promise.reject(new Error('is not ours')) }

describe('measureOurs', () => {
  it('gives the rounds of our side alone, once for rows that share it', async () => {
    const ours = contender('ours', [1, 10, 20])
    const rows = [
      { what: 'known', ours, peer: neverMeasured },
      { what: 'known', ours, peer: neverMeasured, atLeast: 1 },
      { what: 'new', ours: contender('ours', [1, 30, 40]), peer: neverMeasured },
    ]
    expect(await measureOurs('claim', { rows, unit: 'per second' }, 2)).toEqual([
      { area: 'claim', row: 'known', name: 'ours', unit: 'per second', samples: [10, 20] },
      { area: 'claim', row: 'new', name: 'ours', unit: 'per second', samples: [30, 40] },
    ])
  })
})

describe('readSamples', () => {
  const row = { area: 'claim', row: 'known', name: 'ours', unit: 'per second', samples: [10, 20.5] }

  it('reads what was written as JSON, among other lines', () => {
    expect(readSamples(['bundled', JSON.stringify(row), ''])).toEqual([row])
  })

  it.each([
    ['without samples', { ...row, samples: [] }],
    ['whose sample is no rate', { ...row, samples: [1, null] }],
    ['without a unit', { ...row, unit: undefined }],
  ])('refuses a row %s', (_, wrong) => {
    expect(() => readSamples([JSON.stringify(wrong)])).toThrow(/not a row of samples: \{"area"/)
  })
})
