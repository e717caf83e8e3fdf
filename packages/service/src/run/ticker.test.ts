import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTicker } from './ticker.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** The times of the ticks, where the nth tick blocks the process for `blockMs[n]` milliseconds. */
function ticksOf(intervalMs: number, options: { forMs: number; blockMs?: Readonly<Record<number, number>> }): number[] {
  const clock = performance.now.bind(performance)
  const startedAt = clock()
  let blockedMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + blockedMs)
  const times: number[] = []
  using _ticker = startTicker({
    intervalMs,
    onTick: () => {
      times.push(Math.round(performance.now() - startedAt))
      blockedMs += options.blockMs?.[times.length - 1] ?? 0
    },
  })
  vi.advanceTimersByTime(options.forMs)
  return times
}

describe('startTicker', () => {
  it('ticks at once and then at every interval', () => {
    expect(ticksOf(1000, { forMs: 3500 })).toEqual([0, 1000, 2000, 3000])
  })

  it('decisions 1.40: does not drift when a tick is late', () => {
    expect(ticksOf(1000, { forMs: 3500, blockMs: { 1: 300 } })).toEqual([0, 1000, 2000, 3000])
  })

  it('makes up for one tick after a long block and is back on the grid', () => {
    expect(ticksOf(1000, { forMs: 3500, blockMs: { 1: 2500 } })).toEqual([0, 1000, 3501, 4000, 5000, 6000])
  })

  it('makes up for all missed ticks of a short interval, so that the rate holds', () => {
    expect(ticksOf(10, { forMs: 30, blockMs: { 1: 45 } })).toEqual([0, 10, 56, 56, 56, 56, 60, 70])
  })

  it('ends when it is disposed of', () => {
    let ticks = 0
    const ticker = startTicker({ intervalMs: 10, onTick: () => ticks++ })
    ticker[Symbol.dispose]()
    vi.advanceTimersByTime(100)
    expect(ticks).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
