import { describe, expect, it } from 'vitest'
import { backOffMs, createBackOff } from './back-off.ts'

const waits = { firstMs: 200, longestMs: 1000 }

describe('backOff', () => {
  it('doubles from the first wait to the longest and begins again after a reset', () => {
    const backOff = createBackOff(waits)
    const grown = Array.from({ length: 5 }, () => backOff.next())
    backOff.reset()
    expect([...grown, backOff.next()]).toEqual([200, 400, 800, 1000, 1000, 200])
  })

  it('takes the part that is left to chance off a wait', () => {
    const nextMs = (drawn: number) => createBackOff({ ...waits, jitter: 0.5, random: () => drawn }).next()
    expect([nextMs(0), nextMs(0.5), nextMs(1)]).toEqual([200, 150, 100])
  })

  it('ends a wait at once, without throwing, when it is aborted', async () => {
    const abort = new AbortController()
    const waiting = createBackOff({ firstMs: 60_000, longestMs: 60_000 }).wait(abort.signal)
    abort.abort()
    await expect(waiting).resolves.toBeUndefined()
  })
})

describe('backOffMs', () => {
  it('knows the wait of any retry, however late', () => {
    expect([0, 1, 2, 3, 5000].map((n) => backOffMs(n, waits))).toEqual([200, 400, 800, 1000, 1000])
  })

  it('stays at nothing when the first wait is nothing', () => {
    expect(backOffMs(5000, { firstMs: 0, longestMs: 1000 })).toBe(0)
  })
})
