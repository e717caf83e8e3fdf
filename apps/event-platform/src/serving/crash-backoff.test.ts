import { describe, expect, it } from 'vitest'
import { CrashBackoff } from './crash-backoff.ts'

/** The instance in the next slot fails this often in a row, each time at once. */
function failInARow(backoff: CrashBackoff, times: number): number[] {
  return Array.from({ length: times }, () => {
    backoff.failed(backoff.take(), 0)
    return backoff.remaining(0)
  })
}

describe('crashBackoff', () => {
  it('allows the first restart at once, then doubles from half a second', () => {
    expect(failInARow(new CrashBackoff(), 5)).toEqual([0, 500, 1000, 2000, 4000])
  })

  it('waits a minute at most', () => {
    const backoff = new CrashBackoff()
    failInARow(backoff, 30)
    expect(backoff.remaining(0)).toBe(60_000)
    expect(backoff.remaining(59_000)).toBe(1000)
  })

  it('counts for each slot on its own: four that fail together are no crash loop', () => {
    const backoff = new CrashBackoff()
    const slots = [1, 2, 3, 4].map(() => backoff.take())
    for (const slot of slots) backoff.failed(slot, 0)
    expect(backoff.failures).toBe(1)
    expect(backoff.remaining(0)).toBe(0)
  })

  it('gives the slots of failed instances first, that which is free first before others', () => {
    const backoff = new CrashBackoff()
    failInARow(backoff, 3)
    backoff.failed({ failures: 0, freeAt: 0 }, 0)
    expect([backoff.take(), backoff.take(), backoff.take()].map(({ failures }) => failures)).toEqual([1, 3, 0])
  })

  it('starts again from zero after a success, in all vacant slots', () => {
    const backoff = new CrashBackoff()
    const [one, other] = [backoff.take(), backoff.take()]
    backoff.failed(one, 0)
    backoff.failed(other, 0)
    failInARow(backoff, 4)
    const slot = backoff.succeeded(backoff.take())
    expect(backoff.failures).toBe(0)
    backoff.failed(slot, 0)
    expect(backoff.failures).toBe(1)
    expect(backoff.remaining(0)).toBe(0)
  })

  it('goes on counting after an instance that was stopped before it showed anything', () => {
    const backoff = new CrashBackoff()
    failInARow(backoff, 2)
    backoff.stopped(backoff.take())
    expect(backoff.failures).toBe(2)
    expect(backoff.remaining(0)).toBe(500)
  })
})
