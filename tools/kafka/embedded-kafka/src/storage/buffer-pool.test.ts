import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BufferPool } from './buffer-pool.ts'

const LARGE = 100_000

describe('BufferPool', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('gives memory again that was given back, and no other', () => {
    const pool = new BufferPool()
    const first = pool.take(LARGE)
    const second = pool.take(LARGE)
    expect(second.buffer).not.toBe(first.buffer)
    pool.giveBack(first.subarray(10, 20))
    const third = pool.take(LARGE + 1000)
    expect([third.buffer === first.buffer, third.length]).toEqual([true, LARGE + 1000])
    expect(pool.take(LARGE).buffer).not.toBe(first.buffer)
  })

  it('takes back nothing twice, and nothing that it did not give', () => {
    const pool = new BufferPool()
    const taken = pool.take(LARGE)
    pool.giveBack(taken)
    pool.giveBack(taken)
    pool.giveBack(Buffer.alloc(LARGE))
    pool.giveBack(pool.take(10))
    expect(pool.keptBytes).toBe(taken.buffer.byteLength)
  })

  it('does not give a buffer for one that needs less than half of it', () => {
    const pool = new BufferPool()
    const large = pool.take(LARGE * 4)
    pool.giveBack(large)
    expect(pool.take(LARGE).buffer).not.toBe(large.buffer)
  })

  it('keeps a limited number of bytes, and forgets them when none was used for a while', () => {
    const pool = new BufferPool(3 * LARGE)
    const all = [1, 2, 3, 4].map(() => pool.take(LARGE))
    for (const taken of all) pool.giveBack(taken)
    expect(pool.keptBytes).toBe(2 * (all[0]?.buffer.byteLength ?? 0))
    expect(pool.take(LARGE).buffer).toBe(all[2]?.buffer)
    vi.advanceTimersByTime(5000)
    expect(pool.keptBytes).toBeGreaterThan(0)
    pool.take(LARGE * 10)
    vi.advanceTimersByTime(5000)
    expect(pool.keptBytes).toBe(0)
  })
})
