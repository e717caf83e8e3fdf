import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { atMost, withDeadline } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new Promise<never>(() => {})

describe('withDeadline', () => {
  it('gives the outcome that comes in time, and leaves no timer behind', async () => {
    await expect(withDeadline(Promise.resolve(1), 1000, 'counting')).resolves.toBe(1)
    await expect(withDeadline(Promise.reject(new Error('broken')), 1000, 'counting')).rejects.toThrow('broken')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('says what took too long', async () => {
    const late = expect(withDeadline(never, 1000, 'counting')).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      message: 'counting took longer than 1000 ms',
    })
    await vi.advanceTimersByTimeAsync(1000)
    await late
  })
})

describe('atMost', () => {
  it('ends in time, whatever comes of it', async () => {
    const all = Promise.all(
      [Promise.resolve(1), never, Promise.reject(new Error('broken'))].map((one) => atMost(one, 1000)),
    )
    await vi.advanceTimersByTimeAsync(1000)
    expect(await all).toEqual([1, undefined, undefined])
  })
})
