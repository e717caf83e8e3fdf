import { describe, expect, it } from 'vitest'
import { parseQuantity } from './quantity.ts'

describe('parseQuantity', () => {
  it.each([
    ['250m', 0.25],
    ['1', 1],
    [2, 2],
    ['0.5', 0.5],
    ['256Mi', 268_435_456],
    ['1Gi', 1_073_741_824],
    ['1G', 1_000_000_000],
  ])('reads %s', (text, value) => {
    expect(parseQuantity(text)).toBe(value)
  })

  it.each(['', 'a lot', '1 Gi', '1Qi'])('has no number for "%s"', (text) => {
    expect(parseQuantity(text)).toBeNaN()
  })
})
