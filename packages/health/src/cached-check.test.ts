import type { CheckOutcome, HealthCheck } from '@taproom/core/health'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHealth } from './health.ts'

const check = (run: HealthCheck['check'], more: Partial<HealthCheck> = {}): HealthCheck => ({
  name: 'c',
  check: run,
  ...more,
})

describe('a cached check', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('runs a check once at a time, however many ask', async () => {
    const goOn = Promise.withResolvers<CheckOutcome>()
    const run = vi.fn(() => goOn.promise)
    const health = createHealth({ readiness: [check(run)], cacheMs: 0 })
    const reports = [health.report('ready'), health.report('all'), health.report('ready')]
    goOn.resolve({ status: 'UP' })
    expect((await Promise.all(reports)).map(({ status }) => status)).toEqual(['UP', 'UP', 'UP'])
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('gives an outcome again for cacheMs, UP or DOWN', async () => {
    let status: 'UP' | 'DOWN' = 'UP'
    const run = vi.fn(() => ({ status }))
    const health = createHealth({ readiness: [check(run)], cacheMs: 1000 })
    const ask = async () => (await health.report('ready')).status
    for (const [was, is] of [
      ['UP', 'DOWN'],
      ['DOWN', 'UP'],
    ] as const) {
      expect(await ask()).toBe(was)
      status = is
      await vi.advanceTimersByTimeAsync(999)
      expect(await ask()).toBe(was)
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(await ask()).toBe('UP')
    expect(run).toHaveBeenCalledTimes(3)
  })

  it('decisions 3.75: gives an outcome again for 50 ms at most before the first UP', async () => {
    let status: 'UP' | 'DOWN' = 'DOWN'
    const run = vi.fn(() => ({ status }))
    const health = createHealth({ readiness: [check(run)], cacheMs: 1000 })
    const ask = async () => (await health.report('ready')).status
    expect(await ask()).toBe('DOWN')
    status = 'UP'
    await vi.advanceTimersByTimeAsync(49)
    expect(await ask()).toBe('DOWN')
    expect(run).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await ask()).toBe('UP')
  })

  it('keeps the outcome of a check for its own cacheMs also before the first UP', async () => {
    const run = vi.fn(() => ({ status: 'DOWN' }) as const)
    const health = createHealth({ readiness: [check(run, { cacheMs: 1000 })] })
    for (const waitMs of [0, 500, 499, 1]) {
      await vi.advanceTimersByTimeAsync(waitMs)
      await health.report('ready')
    }
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('gives the outcome of a check that says so for as long as that says', async () => {
    let status: 'UP' | 'DOWN' = 'DOWN'
    const readiness = [check(() => ({ status }), { cacheMs: 0 })]
    const health = createHealth({ readiness, cacheMs: 1000 })
    expect((await health.report('ready')).status).toBe('DOWN')
    status = 'UP'
    expect((await health.report('ready')).status).toBe('UP')
    const wrong = [check(() => ({ status }), { cacheMs: Number.NaN })]
    expect(() => createHealth({ readiness: wrong })).toThrow(expect.objectContaining({ code: 'HEALTH_OPTION_INVALID' }))
  })

  it('asks a check that hung again after its limit', async () => {
    let hang = true
    const sometimes = check(() => (hang ? new Promise<CheckOutcome>(() => {}) : { status: 'UP' }), { timeoutMs: 100 })
    const health = createHealth({ readiness: [sometimes], cacheMs: 0 })
    const first = health.report('ready')
    await vi.advanceTimersByTimeAsync(150)
    expect((await first).status).toBe('DOWN')
    hang = false
    expect((await health.report('ready')).status).toBe('UP')
  })
})
