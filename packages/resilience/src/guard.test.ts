import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failure, flaky, hang, record, timed } from '../tests/calls.ts'
import {
  BulkheadError,
  CircuitBreaker,
  CircuitOpenError,
  createGuard,
  type GuardOptions,
  InvalidOptionError,
  RateLimitError,
  TimeoutError,
} from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

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
      'bulkhead-started',
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

  it('names every error with its code; only an open circuit is transient (decisions 3.160)', () => {
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
      'FT_OPTION_INVALID',
    ])
    // A limit of this process is not an outage of the remote: a channel would not be ready while it keeps to the limit.
    const transient = errors.filter((error) => 'isTransient' in error && error.isTransient)
    expect(transient.map(({ code }) => code)).toEqual(['FT_CIRCUIT_OPEN'])
  })
})
