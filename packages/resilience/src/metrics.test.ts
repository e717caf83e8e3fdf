import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CircuitOpenError, createGuard, type GuardOptions, reportMetrics } from './index.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Metrics by `name tag=value …`, without the method. */
function collect(options: Omit<GuardOptions<string>, 'name'>) {
  const guard = createGuard<string>({ name: 'GET film', ...options })
  const values: Record<string, number> = {}
  const key = (name: string, { method, ...tags }: Readonly<Record<string, string>>) => {
    expect(method).toBe('GET film')
    return [name, ...Object.entries(tags).map(([tag, value]) => `${tag}=${value}`)].join(' ')
  }
  reportMetrics(guard, {
    add: (name, tags, by) => {
      values[key(name, tags)] = (values[key(name, tags)] ?? 0) + by
    },
    observe: (name, tags, seconds) => {
      values[key(name, tags)] = seconds
    },
    set: (name, tags, value) => {
      values[key(name, tags)] = value
    },
  })
  const call = async (fn: () => Promise<string>) => {
    const result = guard.execute(fn).catch(() => 'failed')
    await vi.runAllTimersAsync()
    return result
  }
  return { guard, values, call }
}

const fail = () => Promise.reject(new Error('remote failed'))
const succeed = () => Promise.resolve('value')

describe('metrics', () => {
  it('counts invocations, retries and fallbacks', async () => {
    const { values, call } = collect({
      retry: { maxRetries: 2, jitterMs: 0, abortOn: [TypeError] },
      fallback: { handler: () => 'instead', skipOn: [TypeError] },
    })
    await call(succeed)
    await call(fail)
    await call(() => Promise.reject(new TypeError()))
    expect(values).toEqual({
      'ft.invocations.total result=valueReturned fallback=notApplied': 1,
      'ft.invocations.total result=valueReturned fallback=applied': 1,
      'ft.invocations.total result=exceptionThrown fallback=notApplied': 1,
      'ft.retry.calls.total retried=false retryResult=valueReturned': 1,
      'ft.retry.calls.total retried=true retryResult=maxRetriesReached': 1,
      'ft.retry.calls.total retried=false retryResult=exceptionNotRetryable': 1,
      'ft.retry.retries.total': 2,
    })
  })

  it('counts and times attempts under a timeout', async () => {
    const { values, call } = collect({ timeout: { timeoutMs: 250 } })
    await call(() => new Promise(() => undefined))
    expect(values).toMatchObject({
      'ft.timeout.calls.total timedOut=true': 1,
      'ft.timeout.executionDuration': 0.25,
      'ft.invocations.total result=exceptionThrown fallback=notDefined': 1,
    })
  })

  it('shows the circuit: results, openings, current state and time in each', async () => {
    const { guard, values } = collect({ circuitBreaker: { requestVolumeThreshold: 1, delayMs: 400 } })
    await vi.advanceTimersByTimeAsync(100)
    await expect(guard.execute(fail)).rejects.toThrow('remote failed')
    await expect(guard.execute(succeed)).rejects.toBeInstanceOf(CircuitOpenError)
    await vi.runAllTimersAsync()
    expect(values).toMatchObject({
      'ft.circuitbreaker.calls.total circuitBreakerResult=failure': 1,
      'ft.circuitbreaker.calls.total circuitBreakerResult=circuitBreakerOpen': 1,
      'ft.circuitbreaker.opened.total': 1,
      'ft.circuitbreaker.state.total state=closed': 100e6,
      'ft.circuitbreaker.state.total state=open': 400e6,
      'ft.circuitbreaker.state.current state=closed': 0,
      'ft.circuitbreaker.state.current state=open': 0,
      'ft.circuitbreaker.state.current state=halfOpen': 1,
    })
  })

  it('counts what bulkhead and rate limit let through and refuse', async () => {
    const { guard, values, call } = collect({
      bulkhead: { value: 1, waitingTaskQueue: 0 },
      rateLimit: { value: 2, windowMs: 60_000 },
    })
    void guard.execute(() => new Promise<string>(() => undefined))
    await call(succeed)
    await call(succeed)
    expect(values).toMatchObject({
      'ft.bulkhead.calls.total bulkheadResult=accepted': 1,
      'ft.bulkhead.calls.total bulkheadResult=rejected': 1,
      'ft.ratelimit.calls.total rateLimitResult=permitted': 2,
      'ft.ratelimit.calls.total rateLimitResult=rejected': 1,
    })
  })
})
