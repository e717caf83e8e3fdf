import { RandomIds } from '@taproom/spans'
import { describe, expect, it } from 'vitest'
import { createSampling } from './sampling.ts'

const parent = (traceFlags: number) => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags })
/** A trace id with these 14 digits at its end. */
const ending = (digits: string) => `${'a'.repeat(18)}${digits}`

describe('decisions 3.96: a ratio', () => {
  it.each([
    ['half of the ids, those above', 0.5, ending('80000000000000'), true],
    ['not the ones below', 0.5, ending('7fffffffffffff'), false],
    ['whatever the digits before say', 0.5, `${'f'.repeat(18)}${'0'.repeat(14)}`, false],
    ['the highest in a thousand', 0.001, ending('ffffffffffffff'), true],
    ['none', 0, ending('ffffffffffffff'), false],
    ['all', 1, ending('00000000000000'), true],
  ])('takes %s', (_case, ratio, traceId, expected) => {
    expect(createSampling({ name: 'traceidratio', ratio })(traceId, undefined)).toBe(expected)
  })

  it('is kept by the ids that are made here', () => {
    const ids = new RandomIds()
    const sampling = createSampling({ name: 'traceidratio', ratio: 0.25 })
    const taken = Array.from({ length: 20_000 }, () => sampling(ids.traceId(), undefined)).filter(Boolean).length
    // Six standard deviations either way.
    expect(Math.abs(taken - 5000)).toBeLessThan(6 * Math.sqrt(20_000 * 0.25 * 0.75))
  })
})

describe('a sampler', () => {
  it.each([
    ['always_on', 0, true],
    ['always_off', 1, false],
    ['parentbased_always_on', 0, false],
    ['parentbased_always_off', 1, true],
    ['parentbased_traceidratio', 1, true],
    ['parentbased_traceidratio', 0, false],
  ] as const)('%s does what its name says below a parent with the flag %i', (name, flag, expected) => {
    expect(createSampling({ name, ratio: 0 })(ending('0'.repeat(14)), parent(flag))).toBe(expected)
  })

  it.each([
    ['parentbased_always_on', true],
    ['parentbased_always_off', false],
    ['parentbased_traceidratio', false],
  ] as const)('%s decides for a new trace', (name, expected) => {
    expect(createSampling({ name, ratio: 0 })(ending('0'.repeat(14)), undefined)).toBe(expected)
  })
})
