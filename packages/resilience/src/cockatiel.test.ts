import {
  BulkheadRejectedError,
  bulkhead,
  ConstantBackoff,
  handleAll,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failure, flaky, hang, record, timed } from '../tests/calls.ts'
import { type CallContext, CircuitBreaker, CircuitOpenError, createGuard } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the circuit breaker in `wrap` of cockatiel', () => {
  it('counts each attempt of its retry, and refuses by the rules of MicroProfile', async () => {
    const breaker = new CircuitBreaker({ requestVolumeThreshold: 4 })
    const call = flaky(4)
    const policy = wrap(retry(handleAll, { maxAttempts: 9, backoff: new ConstantBackoff(10) }), breaker)
    expect((await timed(policy.execute(call))).error).toBeInstanceOf(CircuitOpenError)
    expect(call).toHaveBeenCalledTimes(4)
    await vi.advanceTimersByTimeAsync(5000)
    expect((await timed(policy.execute(call))).value).toBe('value')
  })

  it('counts a timeout as a failure, and passes its signal to the call', async () => {
    const breaker = new CircuitBreaker({ requestVolumeThreshold: 1 })
    const seen: unknown[] = []
    breaker.onFailure(({ reason }) => seen.push(reason))
    let signal: AbortSignal | undefined
    const policy = wrap(breaker, timeout(100, TimeoutStrategy.Aggressive))
    const { error } = await timed(
      policy.execute((context) => {
        signal = context.signal
        return hang()
      }),
    )
    expect(error).toBeInstanceOf(TaskCancelledError)
    expect([seen, signal?.aborted]).toEqual([[{ error }], true])
  })

  it('does not count a call whose caller gave up', async () => {
    const breaker = new CircuitBreaker({ requestVolumeThreshold: 1 })
    const caller = new AbortController()
    const result = wrap(breaker, timeout(100, TimeoutStrategy.Aggressive)).execute(hang, caller.signal)
    caller.abort()
    await expect(result).rejects.toBeInstanceOf(TaskCancelledError)
    expect(breaker.state).toBe('closed')
  })
})

describe('a guard with policies of cockatiel', () => {
  it('runs inside of them, with their signal', async () => {
    const guard = createGuard({ name: 'film', retry: { maxRetries: 1, jitterMs: 0 } })
    const policy = wrap(bulkhead(1), timeout(100, TimeoutStrategy.Aggressive))
    let signal: AbortSignal | undefined
    const call = (context: CallContext) => {
      signal = context.signal
      return hang()
    }
    const result = policy.execute((context) => guard.execute(call, context.signal))
    await expect(policy.execute(hang)).rejects.toBeInstanceOf(BulkheadRejectedError)
    expect((await timed(result)).error).toBeInstanceOf(TaskCancelledError)
    expect(signal?.aborted).toBe(true)
  })

  it('takes the timeout of a policy inside for a failure of the call, not for its own', async () => {
    const guard = createGuard({ name: 'film', timeout: { timeoutMs: 1000 }, retry: { maxRetries: 2, jitterMs: 0 } })
    const timeouts = record(guard, 'timeout')
    const inside = timeout(100, TimeoutStrategy.Aggressive)
    const { error } = await timed(guard.execute(({ signal }) => inside.execute(hang, signal)))
    expect(error).toBeInstanceOf(TaskCancelledError)
    expect(timeouts).toMatchObject([{ timedOut: false }, { timedOut: false }, { timedOut: false }])
    expect((await timed(guard.execute(() => inside.execute(flaky(9))))).error).toBe(failure)
  })
})
