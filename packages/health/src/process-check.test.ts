import type { HealthCheck } from '@taproom/core/health'
import { eventually } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createHealth } from './health.ts'
import { type ProcessCheckOptions, type ProcessState, processCheck } from './process-check.ts'

const calm: ProcessState = { eventLoopDelayMs: 3.4, heapUsedBytes: 50, heapLimitBytes: 100 }

describe('processCheck', () => {
  const outcome = async (state: Partial<ProcessState>, options: ProcessCheckOptions = {}) => {
    using check = processCheck({ ...options, measure: () => ({ ...calm, ...state }) })
    return (await createHealth({ wellness: [check] }).report('well')).checks[0]
  }

  it('tells what it saw', async () => {
    const data = { isWithinLimits: true, eventLoopDelayMs: 3, heapUsedBytes: 50, heapLimitBytes: 100 }
    expect(await outcome({})).toEqual({ name: 'Process', status: 'UP', data })
  })

  it.each<[string, Partial<ProcessState>, ProcessCheckOptions]>([
    ['the event loop was held up', { eventLoopDelayMs: 5001 }, {}],
    ['the event loop was held up for its own limit', { eventLoopDelayMs: 101 }, { maxEventLoopDelayMs: 100 }],
    ['the heap is nearly full', { heapUsedBytes: 96 }, {}],
    ['the heap is at its own limit', { heapUsedBytes: 61 }, { maxHeapUsedRatio: 0.6 }],
  ])('tells, and is UP, when %s', async (_, state, options) => {
    expect(await outcome(state, options)).toMatchObject({ status: 'UP', data: { isWithinLimits: false } })
  })

  it('contract 4.2: the combined report of a process that was held up is what liveness and readiness say', async () => {
    const held: ProcessState = { ...calm, eventLoopDelayMs: 60_000, heapUsedBytes: 100 }
    using check = processCheck({ measure: () => held })
    const ready: HealthCheck = { name: 'database', check: () => ({ status: 'UP' }) }
    const health = createHealth({ readiness: [ready], wellness: [check] })
    const kinds = ['live', 'ready', 'all'] as const
    expect((await Promise.all(kinds.map((kind) => health.report(kind)))).map(({ status }) => status)).toEqual([
      'UP',
      'UP',
      'UP',
    ])
  })

  it('sees this process being held up', async () => {
    using check = processCheck({ maxEventLoopDelayMs: 250 })
    const health = createHealth({ wellness: [check], cacheMs: 0 })
    const isWithinLimits = async () => (await health.report('well')).checks[0]?.data?.['isWithinLimits']
    await eventually(async () => expect(await isWithinLimits()).toBe(true))
    const until = performance.now() + 600
    while (performance.now() < until);
    await eventually(async () => expect(await isWithinLimits()).toBe(false))
    await eventually(async () => expect(await isWithinLimits()).toBe(true))
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
