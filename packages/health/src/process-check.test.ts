import { describe, expect, it } from 'vitest'
import { createHealth } from './health.ts'
import { type ProcessCheckOptions, type ProcessState, processCheck } from './process-check.ts'

const calm: ProcessState = { eventLoopDelayMs: 3.4, heapUsedBytes: 50, heapLimitBytes: 100 }

describe('processCheck', () => {
  const outcome = async (state: Partial<ProcessState>, options: ProcessCheckOptions = {}) => {
    using check = processCheck({ ...options, measure: () => ({ ...calm, ...state }) })
    return (await createHealth({ wellness: [check] }).report('well')).checks[0]
  }

  it('is UP within its limits, and tells what it saw', async () => {
    const data = { eventLoopDelayMs: 3, heapUsedBytes: 50, heapLimitBytes: 100 }
    expect(await outcome({})).toEqual({ name: 'Process', status: 'UP', data })
  })

  it.each<[string, Partial<ProcessState>, ProcessCheckOptions]>([
    ['the event loop was held up', { eventLoopDelayMs: 5001 }, {}],
    ['the event loop was held up for its own limit', { eventLoopDelayMs: 101 }, { maxEventLoopDelayMs: 100 }],
    ['the heap is nearly full', { heapUsedBytes: 96 }, {}],
    ['the heap is at its own limit', { heapUsedBytes: 61 }, { maxHeapUsedRatio: 0.6 }],
  ])('is DOWN when %s', async (_, state, options) => {
    expect(await outcome(state, options)).toMatchObject({ status: 'DOWN' })
  })

  it('sees this process being held up', async () => {
    using check = processCheck({ maxEventLoopDelayMs: 250 })
    const health = createHealth({ wellness: [check], cacheMs: 0 })
    const status = async () => (await health.report('well')).status
    expect(await status()).toBe('UP')
    const until = performance.now() + 600
    while (performance.now() < until);
    await expect.poll(status, { timeout: 5000 }).toBe('DOWN')
    await expect.poll(status, { timeout: 5000 }).toBe('UP')
  })

  it.each([
    { maxEventLoopDelayMs: 0 },
    { maxHeapUsedRatio: 0 },
    { maxHeapUsedRatio: 1.1 },
    { maxHeapUsedRatio: Number.NaN },
  ])('refuses %j', (options) => {
    expect(() => processCheck(options)).toThrow(expect.objectContaining({ code: 'HEALTH_OPTION_INVALID' }))
  })
})
