import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createGuard, type Guard, RateLimitError } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('rate limit', () => {
  const permitted = async (guard: Guard) =>
    guard
      .execute(async () => 'permitted')
      .catch((error: unknown) => (error instanceof RateLimitError ? Math.round(error.retryAfterMs) : error))

  it('fixed: admits `value` calls a window and says when the next begins', async () => {
    const guard = createGuard({ name: 'film', rateLimit: { value: 2, windowMs: 1000 } })
    await vi.advanceTimersByTimeAsync(900)
    expect([await permitted(guard), await permitted(guard), await permitted(guard)]).toEqual([
      'permitted',
      'permitted',
      100,
    ])
    await vi.advanceTimersByTimeAsync(100)
    expect(await permitted(guard)).toBe('permitted')
  })

  it('rolling: never admits more than `value` in any stretch of a window, refused calls counted', async () => {
    const guard = createGuard({ name: 'film', rateLimit: { value: 2, windowMs: 1000, type: 'rolling' } })
    await vi.advanceTimersByTimeAsync(900)
    expect([await permitted(guard), await permitted(guard)]).toEqual(['permitted', 'permitted'])
    await vi.advanceTimersByTimeAsync(200)
    expect(await permitted(guard)).toBe(800)
    await vi.advanceTimersByTimeAsync(800)
    expect(await permitted(guard)).toBe('permitted')
  })

  it('smooth: permits trickle in evenly', async () => {
    const guard = createGuard({ name: 'film', rateLimit: { value: 2, windowMs: 1000, type: 'smooth' } })
    expect([await permitted(guard), await permitted(guard)]).toEqual(['permitted', 500])
    await vi.advanceTimersByTimeAsync(500)
    expect(await permitted(guard)).toBe('permitted')
  })

  it('keeps calls minSpacing apart', async () => {
    const guard = createGuard({ name: 'film', rateLimit: { value: 10, minSpacingMs: 50 } })
    expect([await permitted(guard), await permitted(guard)]).toEqual(['permitted', 50])
    await vi.advanceTimersByTimeAsync(50)
    expect(await permitted(guard)).toBe('permitted')
  })
})
