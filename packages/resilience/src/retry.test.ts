import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failure, flaky, record, timed } from '../tests/calls.ts'
import { type CallContext, createGuard } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('retry', () => {
  const retry = { maxRetries: 3, delayMs: 2000, jitterMs: 0 }

  it('decisions 1.26: three retries 2000 ms apart, about 6 seconds in all, then the last error', async () => {
    const guard = createGuard({ name: 'film', retry })
    const call = flaky(4)
    const { error, afterMs } = await timed(guard.execute(call))
    expect(error).toBe(failure)
    expect(call).toHaveBeenCalledTimes(4)
    expect(Math.round(afterMs / 100)).toBe(60)
  })

  it('stops at the first success', async () => {
    const guard = createGuard({ name: 'film', retry })
    const call = flaky(2)
    expect((await timed(guard.execute(call))).value).toBe('value')
    expect(call).toHaveBeenCalledTimes(3)
  })

  it('has no limit with -1', async () => {
    const guard = createGuard({ name: 'film', retry: { maxRetries: -1, jitterMs: 0 } })
    expect((await timed(guard.execute(flaky(50)))).value).toBe('value')
  })

  it('draws the wait evenly from delay ± jitter, never below 0', async () => {
    const draws = [0, 1, 0.5, 0]
    const guard = createGuard({
      name: 'film',
      retry: { maxRetries: 4, delayMs: 100, jitterMs: 150 },
      random: () => draws.shift() ?? 0,
    })
    const waits = record(guard, 'retry')
    await timed(guard.execute(flaky(4)))
    expect(waits).toMatchObject([{ delayMs: 0 }, { delayMs: 250 }, { delayMs: 100 }, { delayMs: 0 }])
  })

  it('tries only what retryOn lists, and abortOn wins', async () => {
    class Busy extends Error {}
    class VeryBusy extends Busy {}
    const guard = createGuard({ name: 'film', retry: { ...retry, retryOn: [Busy], abortOn: [VeryBusy] } })
    const calls = async (error: Error) => {
      const call = vi.fn(() => Promise.reject(error))
      expect((await timed(guard.execute(call))).error).toBe(error)
      return call.mock.calls.length
    }
    expect(await calls(new Busy())).toBe(4)
    expect(await calls(new VeryBusy())).toBe(1)
    expect(await calls(new Error())).toBe(1)
  })

  it('begins no attempt after maxDuration', async () => {
    const guard = createGuard({ name: 'film', retry: { ...retry, maxRetries: -1, maxDurationMs: 5000 } })
    const finished = record(guard, 'retry-finished')
    const call = flaky(Number.POSITIVE_INFINITY)
    const { error } = await timed(guard.execute(call))
    expect(error).toBe(failure)
    expect(call).toHaveBeenCalledTimes(3)
    expect(finished).toMatchObject([{ retried: true, result: 'max-duration-reached' }])
  })

  it('does not wait any more when an attempt itself outlasts maxDuration', async () => {
    const guard = createGuard({ name: 'film', retry: { ...retry, maxDurationMs: 5000 } })
    const slow = vi.fn(() => new Promise((_, reject) => setTimeout(reject, 6000, failure)))
    const { error, afterMs } = await timed(guard.execute(slow))
    expect([error, afterMs]).toEqual([failure, 6000])
    expect(slow).toHaveBeenCalledTimes(1)
  })

  it('tells that the caller gave up during an attempt', async () => {
    const guard = createGuard({ name: 'film', retry })
    const finished = record(guard, 'retry-finished')
    const caller = new AbortController()
    const call = ({ signal }: CallContext) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const outcome = expect(guard.execute(call, caller.signal)).rejects.toBe('gone')
    caller.abort('gone')
    await outcome
    expect(finished).toMatchObject([{ retried: false, result: 'aborted' }])
  })

  it('ends its wait at once when the caller gives up, leaving no timer behind', async () => {
    const guard = createGuard({ name: 'film', retry, fallback: { handler: () => 'instead' } })
    const caller = new AbortController()
    const call = flaky(4)
    const result = guard.execute(call, caller.signal)
    const outcome = expect(result).rejects.toBe('gone')
    await vi.advanceTimersByTimeAsync(1000)
    caller.abort('gone')
    await outcome
    expect(call).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
