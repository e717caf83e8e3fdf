import { describe, expect, it } from 'vitest'
import { CrashBackoff } from './crash-backoff.ts'

describe('crashBackoff', () => {
  it('allows the first restart at once, then doubles from half a second', () => {
    const backoff = new CrashBackoff()
    const waits = Array.from({ length: 5 }, () => {
      backoff.ended({ livedMs: 0, now: 0 })
      return backoff.remaining(0)
    })
    expect(waits).toEqual([0, 500, 1000, 2000, 4000])
  })

  it('waits a minute at most', () => {
    const backoff = new CrashBackoff()
    for (let count = 0; count < 30; count += 1) backoff.ended({ livedMs: 0, now: 0 })
    expect(backoff.remaining(0)).toBe(60_000)
    expect(backoff.remaining(59_000)).toBe(1000)
  })

  it('begins anew after an instance that lived for ten seconds', () => {
    const backoff = new CrashBackoff()
    for (let count = 0; count < 5; count += 1) backoff.ended({ livedMs: 0, now: 0 })
    backoff.ended({ livedMs: 10_000, now: 0 })
    expect(backoff.failures).toBe(1)
    expect(backoff.remaining(0)).toBe(0)
  })
})
