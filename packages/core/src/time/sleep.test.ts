import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pause, sleep } from './sleep.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('sleep', () => {
  it('ends when the time is over', async () => {
    let isOver = false
    void sleep(1000).then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(999)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(isOver).toBe(true)
  })

  it('rejects with the reason of the signal, and leaves no timer behind', async () => {
    const stop = new AbortController()
    const sleeping = expect(sleep(1000, stop.signal)).rejects.toBe('stopping')
    stop.abort('stopping')
    await sleeping
    await expect(sleep(1000, stop.signal)).rejects.toBe('stopping')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('pause', () => {
  it('ends at the signal as it does in time', async () => {
    const stop = new AbortController()
    const pausing = pause(1000, stop.signal)
    stop.abort()
    await expect(pausing).resolves.toBeUndefined()
    await expect(pause(1000, stop.signal)).resolves.toBeUndefined()
  })
})
