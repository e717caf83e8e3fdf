import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  BulkheadError,
  type CallContext,
  CircuitBreaker,
  CircuitOpenError,
  createGuard,
  type Guard,
  type GuardEvent,
  type GuardOptions,
  InvalidOptionError,
  RateLimitError,
  TimeoutError,
} from './index.ts'

const failure = new Error('remote failed')
const hang = () => new Promise<never>(() => undefined)

/** Ends the call under fake time and tells how long it took and how it ended. */
async function timed<T>(result: Promise<T>) {
  const startedAt = performance.now()
  const ended = result.then(
    (value) => ({ value, error: undefined, afterMs: performance.now() - startedAt }),
    (error: unknown) => ({ value: undefined, error, afterMs: performance.now() - startedAt }),
  )
  await vi.runAllTimersAsync()
  return ended
}

/** Fails `times` times, then succeeds. */
function flaky(times: number) {
  let calls = 0
  return vi.fn(async () => {
    calls += 1
    if (calls <= times) throw failure
    return 'value'
  })
}

function record(guard: Guard<unknown>, type: GuardEvent['type']) {
  const seen: GuardEvent[] = []
  guard.onEvent((event) => {
    if (event.type === type) seen.push(event)
  })
  return seen
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

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

describe('bulkhead', () => {
  it('runs `value` calls, lets `waitingTaskQueue` wait in order and refuses the next', async () => {
    const guard = createGuard({ name: 'film', bulkhead: { value: 1, waitingTaskQueue: 2 } })
    const first = Promise.withResolvers<void>()
    const order: string[] = []
    const results = [
      guard.execute(() => first.promise),
      guard.execute(async () => void order.push('second')),
      guard.execute(async () => void order.push('third')),
    ]
    await expect(guard.execute(hang)).rejects.toMatchObject({ code: 'FT_BULKHEAD_FULL' })
    expect(order).toEqual([])
    first.resolve()
    await Promise.all(results)
    expect(order).toEqual(['second', 'third'])
  })

  it('lets no newcomer overtake or push out a call that waits', async () => {
    const guard = createGuard({ name: 'film', bulkhead: { value: 1, waitingTaskQueue: 1 } })
    const first = Promise.withResolvers<void>()
    const order: string[] = []
    const running = guard.execute(() => first.promise)
    const waiting = guard.execute(async () => void order.push('waiting'))
    const newcomers = first.promise
      .then(() => undefined)
      .then(() => undefined)
      .then(() =>
        Promise.allSettled([1, 2].map((number) => guard.execute(async () => void order.push(`newcomer ${number}`)))),
      )
    first.resolve()
    await Promise.all([running, waiting, newcomers])
    expect(order[0]).toBe('waiting')
  })

  it('ends the wait of a caller who gives up', async () => {
    const guard = createGuard({ name: 'film', bulkhead: { value: 1, waitingTaskQueue: 1 } })
    const first = Promise.withResolvers<void>()
    const running = guard.execute(() => first.promise)
    const caller = new AbortController()
    const call = vi.fn()
    const outcome = expect(guard.execute(call, caller.signal)).rejects.toBe('gone')
    caller.abort('gone')
    await outcome
    first.resolve()
    await running
    expect(await guard.execute(async () => 'next')).toBe('next')
    expect(call).not.toHaveBeenCalled()
  })
})

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

describe('fallback', () => {
  it('is given the failure and stands in for it', async () => {
    const guard = createGuard({ name: 'film', fallback: { handler: (error) => ({ because: error }) } })
    expect(await guard.execute(flaky(1))).toEqual({ because: failure })
    expect(await guard.execute(flaky(0))).toBe('value')
  })

  it('lets pass what applyOn does not list, and skipOn wins', async () => {
    const guard = createGuard({
      name: 'film',
      fallback: {
        handler: () => 'instead',
        applyOn: [TypeError, RangeError],
        skipOn: (error) => error instanceof RangeError,
      },
    })
    const failWith = (error: Error) => guard.execute(() => Promise.reject(error))
    expect(await failWith(new TypeError())).toBe('instead')
    await expect(failWith(new RangeError())).rejects.toBeInstanceOf(RangeError)
    await expect(failWith(new SyntaxError())).rejects.toBeInstanceOf(SyntaxError)
  })

  it('passes on what its handler throws', async () => {
    const guard = createGuard({ name: 'film', fallback: { handler: () => Promise.reject(new TypeError('handler')) } })
    await expect(guard.execute(flaky(1))).rejects.toThrow('handler')
  })
})

describe('guard', () => {
  const circuitBreaker = { requestVolumeThreshold: 4, failureRatio: 0.5, delayMs: 5000, successThreshold: 2 }

  it('nests Fallback(Retry(CircuitBreaker(RateLimit(Timeout(Bulkhead(call)))))) whatever order the options are written in', async () => {
    const parts: Required<Omit<GuardOptions<string>, 'name' | 'now' | 'random'>> = {
      bulkhead: { value: 1, waitingTaskQueue: 0 },
      timeout: { timeoutMs: 100 },
      rateLimit: { value: 5, windowMs: 60_000 },
      circuitBreaker,
      retry: { maxRetries: 1, jitterMs: 0 },
      fallback: { handler: () => 'instead' },
    }
    const run = async (order: (keyof typeof parts)[]) => {
      const guard = createGuard<string>({
        name: 'film',
        ...Object.fromEntries(order.map((policy) => [policy, parts[policy]])),
      })
      const seen: string[] = []
      guard.onEvent((event) => {
        seen.push('result' in event ? `${event.type} ${event.result}` : event.type)
      })
      const { value } = await timed(guard.execute(hang))
      return [...seen, value]
    }
    const keys = Object.keys(parts) as (keyof typeof parts)[]
    const expected = [
      'rate-limit-call permitted',
      'bulkhead-call accepted',
      'timeout',
      'circuit-breaker-call failure',
      'retry',
      // The timed out call still holds its slot: a bulkhead inside the timeout refuses the second attempt.
      'rate-limit-call permitted',
      'bulkhead-call rejected',
      'timeout',
      'circuit-breaker-call failure',
      'retry-finished max-retries-reached',
      'fallback',
      'invocation value-returned',
      'instead',
    ]
    expect(await run(keys)).toEqual(expected)
    expect(await run(keys.toReversed())).toEqual(expected)
  })

  it('counts each attempt as one result of the breaker', async () => {
    const guard = createGuard({ name: 'film', circuitBreaker, retry: { maxRetries: 3, delayMs: 2000, jitterMs: 0 } })
    const { error } = await timed(guard.execute(flaky(4)))
    expect(error).toBe(failure)
    expect(guard.circuitBreaker?.state).not.toBe('closed')
  })

  it('retries the open circuit by MicroProfile default', async () => {
    const guard = createGuard({ name: 'film', circuitBreaker, retry: { maxRetries: 9, delayMs: 1000, jitterMs: 0 } })
    const call = flaky(4)
    expect((await timed(guard.execute(call))).value).toBe('value')
    expect(call).toHaveBeenCalledTimes(5)
  })

  it('decisions 1.25: with the open circuit in abortOn it fails at once', async () => {
    const guard = createGuard({
      name: 'film',
      circuitBreaker,
      retry: { maxRetries: 9, delayMs: 1000, jitterMs: 0, abortOn: [CircuitOpenError] },
    })
    const call = flaky(9)
    const { error, afterMs } = await timed(guard.execute(call))
    expect(error).toBeInstanceOf(CircuitOpenError)
    expect(call).toHaveBeenCalledTimes(4)
    expect(Math.round(afterMs / 100)).toBe(40)
  })

  it('decisions 2.4: an open circuit brings the fallback', async () => {
    const breaker = new CircuitBreaker({ requestVolumeThreshold: 1 })
    const guard = createGuard({ name: 'film', circuitBreaker: breaker, fallback: { handler: () => 'instead' } })
    const call = flaky(1)
    expect(await guard.execute(call)).toBe('instead')
    expect(await guard.execute(call)).toBe('instead')
    expect(call).toHaveBeenCalledTimes(1)
  })

  it('shares one breaker between guards of the same remote', async () => {
    const shared = new CircuitBreaker({ requestVolumeThreshold: 1 })
    const one = createGuard({ name: 'one', circuitBreaker: shared })
    const other = createGuard({ name: 'other', circuitBreaker: shared })
    await expect(one.execute(flaky(1))).rejects.toBe(failure)
    await expect(other.execute(flaky(0))).rejects.toBeInstanceOf(CircuitOpenError)
  })

  it('tells how each invocation ended and whether the fallback stood in', async () => {
    const plain = createGuard({ name: 'film' })
    const backed = createGuard({ name: 'film', fallback: { handler: () => 'instead' } })
    const seen = [record(plain, 'invocation'), record(backed, 'invocation')]
    for (const guard of [plain, backed]) {
      await guard.execute(flaky(0)).catch(() => undefined)
      await guard.execute(flaky(1)).catch(() => undefined)
    }
    expect(seen).toMatchObject([
      [
        { result: 'value-returned', fallback: 'not-defined' },
        { result: 'exception-thrown', fallback: 'not-defined' },
      ],
      [
        { result: 'value-returned', fallback: 'not-applied' },
        { result: 'value-returned', fallback: 'applied' },
      ],
    ])
  })

  it('tells of the circuit half-opening without a call', async () => {
    const guard = createGuard({ name: 'film', circuitBreaker: { requestVolumeThreshold: 1, delayMs: 100 } })
    const changes = record(guard, 'circuit-breaker-state')
    await guard.execute(flaky(1)).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(100)
    expect(changes).toMatchObject([
      { from: 'closed', to: 'open' },
      { from: 'open', to: 'half-open' },
    ])
  })

  it('makes no call for a caller who gave up before', async () => {
    const call = vi.fn()
    const guard = createGuard({ name: 'film', fallback: { handler: () => 'instead' } })
    await expect(guard.execute(call, AbortSignal.abort('gone'))).rejects.toBe('gone')
    expect(call).not.toHaveBeenCalled()
  })

  it.each<[string, Omit<GuardOptions, 'name'>]>([
    ['retry.maxRetries must be an integer of at least -1, got -2', { retry: { maxRetries: -2 } }],
    ['retry.delayMs must be from 0 to 2147483647 ms, got -1', { retry: { delayMs: -1 } }],
    ['retry.jitterMs must be from 0 to 2147483647 ms, got NaN', { retry: { jitterMs: Number.NaN } }],
    [
      'retry.maxDurationMs must be 0 or more than delayMs (2000), got 2000',
      { retry: { delayMs: 2000, maxDurationMs: 2000 } },
    ],
    ['timeout.timeoutMs must be from 0 to 2147483647 ms, got -5', { timeout: { timeoutMs: -5 } }],
    ['bulkhead.value must be an integer of at least 1, got 0', { bulkhead: { value: 0 } }],
    ['bulkhead.waitingTaskQueue must be an integer of at least 0, got -1', { bulkhead: { waitingTaskQueue: -1 } }],
    ['rateLimit.value must be an integer of at least 1, got 0', { rateLimit: { value: 0 } }],
    ['rateLimit.windowMs must be more than 0 ms, got 0', { rateLimit: { windowMs: 0 } }],
    ['failureRatio must be from 0 to 1, got 2', { circuitBreaker: { failureRatio: 2 } }],
  ])('refuses at creation: %s', (message, options) => {
    const create = () => createGuard({ name: 'film', ...options })
    expect(create).toThrow(InvalidOptionError)
    expect(create).toThrow(`film: ${message}`)
  })

  it('names every error with its code', () => {
    const errors = [
      new TimeoutError('film', 1),
      new CircuitOpenError('film', 'open', 1),
      new BulkheadError('film', 1, 1),
      new RateLimitError('film', 1),
      new InvalidOptionError('film', 'x', 'y', 1),
    ]
    expect(errors.map(({ code }) => code)).toEqual([
      'FT_TIMEOUT',
      'FT_CIRCUIT_OPEN',
      'FT_BULKHEAD_FULL',
      'FT_RATE_LIMITED',
      'FT_INVALID_OPTION',
    ])
  })
})
