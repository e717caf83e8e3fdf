import { recordSpans, type SpanRecorder } from '@taproom/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGuard } from './index.ts'

describe('the span of a guarded call', () => {
  let spans: SpanRecorder
  beforeAll(async () => {
    spans = await recordSpans()
  })
  beforeEach(() => spans.clear())
  afterAll(async () => await spans[Symbol.asyncDispose]())

  const told = () =>
    spans.ended.map(({ name, status, events }) => ({
      name,
      failed: status.code === 2,
      events: events.map(({ name }) => name),
    }))

  it('has the retries and the fallback of the call', async () => {
    const guard = createGuard({
      name: 'films',
      retry: { maxRetries: 2, jitterMs: 0 },
      fallback: { handler: () => 'instead' },
    })
    const error = Object.assign(new Error('secret words'), { code: 'AWAY' })
    await expect(guard.execute(() => Promise.reject(error))).resolves.toBe('instead')
    expect(told()).toEqual([{ name: 'films', failed: false, events: ['retry', 'retry', 'fallback'] }])
    expect(spans.ended[0]?.events[0]?.attributes).toEqual({ attempt: 1, delay_ms: 0, 'error.type': 'AWAY' })
  })

  it('has the timeout of an attempt, and fails with it', async () => {
    const guard = createGuard({ name: 'films', timeout: { timeoutMs: 1 } })
    await expect(guard.execute(() => new Promise(() => undefined))).rejects.toThrow()
    expect(told()).toEqual([{ name: 'films', failed: true, events: ['timeout'] }])
  })

  it('has the breaker that opens, and refuses', async () => {
    const circuitBreaker = { requestVolumeThreshold: 2, failureRatio: 1, delayMs: 60_000 }
    const guard = createGuard({ name: 'films', circuitBreaker })
    for (let count = 0; count < 3; count += 1)
      await guard.execute(() => Promise.reject(new Error('x'))).catch(() => undefined)
    expect(told().map(({ events }) => events)).toEqual([[], ['circuit-breaker-state'], ['circuit-breaker-call']])
  })

  it('has no events when all goes as usual', async () => {
    const guard = createGuard({ name: 'films', retry: {}, timeout: {}, circuitBreaker: {}, bulkhead: {} })
    await guard.execute(() => 1)
    expect(told()).toEqual([{ name: 'films', failed: false, events: [] }])
  })
})
