import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hang, record, timed } from '../tests/calls.ts'
import { createGuard, TimeoutError } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('timeout', () => {
  it('cuts an attempt off, aborts its signal and names the limit', async () => {
    const guard = createGuard({ name: 'GET film', timeout: { timeoutMs: 2000 } })
    let signal: AbortSignal | undefined
    const { error, afterMs } = await timed(
      guard.execute((context) => {
        signal = context.signal
        return hang()
      }),
    )
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ code: 'FT_TIMEOUT', timeoutMs: 2000, message: 'GET film: timed out after 2000 ms' })
    expect(afterMs).toBe(2000)
    expect(signal?.aborted).toBe(true)
  })

  it('is reported as a timeout however the aborted call itself ends', async () => {
    const guard = createGuard({ name: 'film', timeout: { timeoutMs: 10 } })
    const ends = [
      (signal: AbortSignal, { reject }: PromiseWithResolvers<string>) => reject(signal.reason),
      (_: AbortSignal, { resolve }: PromiseWithResolvers<string>) => resolve('late success'),
    ]
    for (const end of ends) {
      const result = guard.execute(({ signal }) => {
        const answer = Promise.withResolvers<string>()
        signal.addEventListener('abort', () => end(signal, answer))
        return answer.promise
      })
      expect((await timed(result)).error).toBeInstanceOf(TimeoutError)
    }
  })

  it('passes the reason on when it is the caller who gives up', async () => {
    const guard = createGuard({ name: 'film', timeout: { timeoutMs: 2000 } })
    const caller = new AbortController()
    const outcome = expect(guard.execute(hang, caller.signal)).rejects.toBe('gone')
    caller.abort('gone')
    await outcome
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves nothing behind a call that throws before it returns', async () => {
    const guard = createGuard({ name: 'film', timeout: { timeoutMs: 2000 } })
    const caller = new AbortController()
    const removed = vi.spyOn(caller.signal, 'removeEventListener')
    const thrown = guard.execute(() => {
      throw new Error('at once')
    }, caller.signal)
    await expect(thrown).rejects.toThrow('at once')
    expect([vi.getTimerCount(), removed.mock.calls.length]).toEqual([0, 1])
  })

  it('decisions 1.27: restarts for every retry, so 4 × 2 s and 3 waits of 2 s at worst', async () => {
    const guard = createGuard({
      name: 'film',
      timeout: { timeoutMs: 2000 },
      retry: { maxRetries: 3, delayMs: 2000, jitterMs: 0 },
    })
    const timeouts = record(guard, 'timeout')
    const { error, afterMs } = await timed(guard.execute(hang))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(Math.round(afterMs / 100)).toBe(140)
    expect(timeouts).toMatchObject([{ timedOut: true }, { timedOut: true }, { timedOut: true }, { timedOut: true }])
  })

  it('is off at 0', async () => {
    const guard = createGuard({ name: 'film', timeout: { timeoutMs: 0 } })
    const result = guard.execute(() => new Promise((resolve) => setTimeout(resolve, 10_000, 'slow')))
    expect((await timed(result)).value).toBe('slow')
  })
})
