import { describe, expect, it } from 'vitest'
import { humanDuration } from './human-duration.ts'

describe('humanDuration', () => {
  it.each([
    [-1, '0s'],
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [303, '5m3s'],
    [900, '15m'],
    [3 * 3600, '3h'],
    [3 * 3600 + 60, '3h1m'],
    [20 * 3600, '20h'],
    [50 * 3600, '2d2h'],
    [40 * 86_400, '40d'],
    [800 * 86_400, '2y70d'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(humanDuration(seconds)).toBe(text)
  })
})
