import { describe, expect, it } from 'vitest'
import { createPriceSource } from './index.ts'

describe('createPriceSource', () => {
  it('draws the least price at the low end and the greatest at the high end', () => {
    expect(createPriceSource({ min: 1, max: 20, random: () => 0 })()).toBe(1)
    expect(createPriceSource({ min: 1, max: 20, random: () => 1 - Number.EPSILON })()).toBe(20)
  })

  it('decisions 3.5: gives every whole cent of the range the same share', () => {
    const steps = 400
    let step = 0
    const next = createPriceSource({ min: 0.98, max: 1.01, random: () => step++ / steps })
    const counts = new Map<number, number>()
    for (let i = 0; i < steps; i += 1) {
      const price = next()
      counts.set(price, (counts.get(price) ?? 0) + 1)
    }
    expect(Object.fromEntries(counts)).toEqual({ '0.98': 100, '0.99': 100, '1': 100, '1.01': 100 })
  })

  it('always draws the one price of a range of one', () => {
    const next = createPriceSource({ min: 5.55, max: 5.55 })
    expect([next(), next(), next()]).toEqual([5.55, 5.55, 5.55])
  })

  it.each([
    ['a negative bound', -1, 2],
    ['a fraction of a cent', 1.005, 2],
    ['a bound that is no number', Number.NaN, 2],
    ['an endless range', 1, Number.POSITIVE_INFINITY],
    ['min above max', 3, 2],
  ])('refuses %s', (_case, min, max) => {
    expect(() => createPriceSource({ min, max })).toThrow(RangeError)
  })
})
