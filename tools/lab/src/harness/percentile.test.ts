import { describe, expect, it } from 'vitest'
import { percentile } from './percentile.ts'

describe('percentile', () => {
  it('is the least value that so many of them are not above', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index)
    expect(percentile(values, 0.99)).toBe(198)
    expect(percentile(values, 1)).toBe(200)
    expect(percentile(values, 0)).toBe(1)
  })

  it('of a few is the greatest, and of none no number', () => {
    expect(percentile([3, 9, 1], 0.99)).toBe(9)
    expect(percentile([], 0.99)).toBeNaN()
  })

  it('leaves the values in their order', () => {
    const values = [3, 9, 1]
    percentile(values, 0.5)
    expect(values).toEqual([3, 9, 1])
  })
})
