import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BulkheadError, CircuitOpenError, createGuard, type GuardOptions, reportMetrics } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Metrics by `name tag=value …`, without the method. */
function collect(options: Omit<GuardOptions<string>, 'name'>) {
  const guard = createGuard<string>({ name: 'GET film', ...options })
  const counted: Record<string, number> = {}
  const known: string[] = []
  const watched: (() => Record<string, number>)[] = []
  const key = (name: string, { method, ...tags }: Readonly<Record<string, string>>) => {
    expect(method).toBe('GET film')
    return [name, ...Object.entries(tags).map(([tag, value]) => `${tag}=${value}`)].join(' ')
  }
  reportMetrics(guard, {
    add: (name, tags, by) => {
      if (by === 0) known.push(key(name, tags))
      else counted[key(name, tags)] = (counted[key(name, tags)] ?? 0) + by
    },
    observe: (name, tags, seconds) => {
      counted[key(name, tags)] = seconds
    },
    watch: (name, { help }, read) => {
      expect(help).not.toBe('')
      watched.push(() => Object.fromEntries([...read()].map(({ tags, value }) => [key(name, tags), value])))
    },
  })
  /** Now: what was counted, and what is read. */
  const values = () => Object.assign({}, counted, ...watched.map((read) => read()))
  const call = async (fn: () => Promise<string>) => {
    const result = guard.execute(fn).catch(() => 'failed')
    await vi.runAllTimersAsync()
    return result
  }
  return { guard, known, values, call }
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
    expect(values()).toEqual({
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
    expect(values()).toMatchObject({
      'ft.timeout.calls.total timedOut=true': 1,
      'ft.timeout.executionDuration': 0.25,
      'ft.invocations.total result=exceptionThrown fallback=notDefined': 1,
    })
  })

  it('shows the circuit: results, openings, current state and time in each up to now', async () => {
    const { guard, values } = collect({ circuitBreaker: { requestVolumeThreshold: 1, delayMs: 400 } })
    await vi.advanceTimersByTimeAsync(100)
    expect(values()).toMatchObject({ 'ft.circuitbreaker.state.total state=closed': 100e6 })
    await expect(guard.execute(fail)).rejects.toThrow('remote failed')
    await expect(guard.execute(succeed)).rejects.toBeInstanceOf(CircuitOpenError)
    await vi.runAllTimersAsync()
    await vi.advanceTimersByTimeAsync(50)
    expect(values()).toEqual({
      'ft.invocations.total result=exceptionThrown fallback=notDefined': 2,
      'ft.circuitbreaker.calls.total circuitBreakerResult=failure': 1,
      'ft.circuitbreaker.calls.total circuitBreakerResult=circuitBreakerOpen': 1,
      'ft.circuitbreaker.opened.total': 1,
      'ft.circuitbreaker.state.total state=closed': 100e6,
      'ft.circuitbreaker.state.total state=open': 400e6,
      'ft.circuitbreaker.state.total state=halfOpen': 50e6,
      'ft.circuitbreaker.state.current state=closed': 0,
      'ft.circuitbreaker.state.current state=open': 0,
      'ft.circuitbreaker.state.current state=halfOpen': 1,
    })
  })

  it('counts only the opening of a closed circuit as one', async () => {
    const { guard, values } = collect({ circuitBreaker: { requestVolumeThreshold: 1, delayMs: 400 } })
    for (let opening = 0; opening < 3; opening += 1) {
      await expect(guard.execute(fail)).rejects.toThrow('remote failed')
      await vi.runAllTimersAsync()
    }
    expect(values()).toMatchObject({ 'ft.circuitbreaker.opened.total': 1 })
  })

  it('shows how many calls hold the bulkhead, and times waiting and running', async () => {
    const { guard, values } = collect({ bulkhead: { value: 1, waitingTaskQueue: 1 } })
    const call = () => new Promise<string>((resolve) => setTimeout(resolve, 250, 'value'))
    const calls = [guard.execute(call), guard.execute(call)]
    await expect(guard.execute(call)).rejects.toBeInstanceOf(BulkheadError)
    const occupancy = (running: number, waiting: number) => ({
      'ft.bulkhead.executionsRunning': running,
      'ft.bulkhead.executionsWaiting': waiting,
    })
    expect(values()).toMatchObject({ ...occupancy(1, 1), 'ft.bulkhead.waitingDuration': 0 })
    await vi.advanceTimersByTimeAsync(250)
    expect(values()).toMatchObject({ ...occupancy(1, 0), 'ft.bulkhead.waitingDuration': 0.25 })
    await vi.advanceTimersByTimeAsync(250)
    await Promise.all(calls)
    expect(values()).toMatchObject({
      ...occupancy(0, 0),
      'ft.bulkhead.runningDuration': 0.25,
      'ft.bulkhead.calls.total bulkheadResult=accepted': 2,
      'ft.bulkhead.calls.total bulkheadResult=rejected': 1,
    })
  })

  it('counts what the rate limit lets through and refuses', async () => {
    const { values, call } = collect({ rateLimit: { value: 2, windowMs: 60_000 } })
    for (let time = 0; time < 3; time += 1) await call(succeed)
    expect(values()).toMatchObject({
      'ft.ratelimit.calls.total rateLimitResult=permitted': 2,
      'ft.ratelimit.calls.total rateLimitResult=rejected': 1,
    })
  })

  it('lets the counters of the policies that are on, and no others, begin at 0', () => {
    expect(collect({ timeout: {}, fallback: { handler: () => 'instead' } }).known).toEqual([
      'ft.invocations.total result=valueReturned fallback=applied',
      'ft.invocations.total result=exceptionThrown fallback=applied',
      'ft.invocations.total result=valueReturned fallback=notApplied',
      'ft.invocations.total result=exceptionThrown fallback=notApplied',
      'ft.timeout.calls.total timedOut=false',
      'ft.timeout.calls.total timedOut=true',
    ])
    const names = (options: Omit<GuardOptions<string>, 'name'>) =>
      new Set(collect(options).known.map((key) => key.split(' ')[0]))
    expect(names({ retry: {}, circuitBreaker: {}, bulkhead: {}, rateLimit: {} })).toEqual(
      new Set([
        'ft.invocations.total',
        'ft.retry.retries.total',
        'ft.retry.calls.total',
        'ft.circuitbreaker.opened.total',
        'ft.circuitbreaker.calls.total',
        'ft.ratelimit.calls.total',
        'ft.bulkhead.calls.total',
      ]),
    )
  })
})
