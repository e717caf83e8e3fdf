import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pending } from '../tests/breaker-calls.ts'
import { NaiveCircuitBreaker } from '../tests/naive-circuit-breaker.ts'
import { CircuitBreaker } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('circuit breaker', () => {
  it('agrees with a naive twin over random sequences of calls, results and waits', async () => {
    const step = fc.oneof(
      fc.constant({ kind: 'begin' as const }),
      fc.record({ kind: fc.constant('end' as const), index: fc.nat(7), failed: fc.boolean() }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 120 }) }),
    )
    const settings = fc.record({
      requestVolumeThreshold: fc.integer({ min: 1, max: 8 }),
      failureRatio: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.25, 0.5, 0.75, 1)),
      successThreshold: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(settings, fc.array(step, { maxLength: 120, size: 'max' }), async (options, steps) => {
        const breaker = new CircuitBreaker({ ...options, delayMs: 100 })
        const twin = new NaiveCircuitBreaker({ ...options, delayMs: 100 })
        const running: { call: ReturnType<typeof pending>; twin: (failed: boolean) => void }[] = []
        for (const action of steps) {
          if (action.kind === 'wait') {
            await vi.advanceTimersByTimeAsync(action.ms)
            twin.wait(action.ms)
          } else if (action.kind === 'begin') {
            const call = pending(breaker)
            const twinCall = twin.begin()
            expect(call.isAdmitted).toBe(twinCall !== undefined)
            if (twinCall) running.push({ call, twin: twinCall })
          } else {
            const [ended] = running.splice(action.index, 1)
            if (ended === undefined) continue
            if (action.failed) ended.call.fail()
            else ended.call.succeed()
            await ended.call.result.catch(() => undefined)
            ended.twin(action.failed)
          }
          expect(breaker.state).toBe(twin.state)
        }
      }),
      { numRuns: 400 },
    )
  })
})
