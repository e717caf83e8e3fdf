import { describe, expect, it } from 'vitest'
import { logCounts } from './log-counts.ts'

const NONE = { trace: 0, debug: 0, info: 0, warn: 0, error: 0, fatal: 0 }
const at = (time: number, severity = 2) => ({ time, severity })

describe('logCounts', () => {
  it('counts by level in intervals that people can read', () => {
    const lines = [at(60_000), at(61_999, 4), at(62_000, 5), at(120_000)]
    expect(logCounts(lines, { intervals: 30 })).toEqual({
      stepMs: 5000,
      items: [
        { time: 60_000, ...NONE, info: 1, error: 1, fatal: 1 },
        { time: 120_000, ...NONE, info: 1 },
      ],
    })
  })

  it.each([
    [1, 1],
    [60_000, 1000],
    [61_000, 2000],
    [86_400_000 * 365, 86_400_000 * 7],
  ])('of a range of %d ms have %d ms', (range, stepMs) => {
    expect(logCounts([at(0)], { from: 0, to: range, intervals: 60 }).stepMs).toBe(stepMs)
  })

  it('has no intervals without lines', () => {
    expect(logCounts([], { intervals: 60 }).items).toEqual([])
    expect(logCounts([], { from: 0, to: 1000, intervals: 60 }).items).toEqual([])
  })
})
