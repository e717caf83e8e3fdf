import { expect, it } from 'vitest'
import { circuitBreakerCheck } from './circuit-breaker-check.ts'
import { createHealth } from './health.ts'

it('decisions 1.30: circuitBreakerCheck tells the state and is never DOWN', async () => {
  const breaker = { state: 'open', retryAfterMs: 1499.2 }
  const health = createHealth({ wellness: [circuitBreakerCheck('films', breaker)], cacheMs: 0 })
  expect(await health.report('well')).toEqual({
    status: 'UP',
    checks: [{ name: 'films', status: 'UP', data: { state: 'open', retryAfterMs: 1500 } }],
  })
  Object.assign(breaker, { state: 'closed', retryAfterMs: 0 })
  expect((await health.report('well')).checks[0]?.data).toEqual({ state: 'closed', retryAfterMs: 0 })
})

it('circuitBreakerCheck tells when there is none', async () => {
  const health = createHealth({ wellness: [circuitBreakerCheck('films', undefined)] })
  expect((await health.report('well')).checks[0]).toEqual({ name: 'films', status: 'UP', data: { state: 'disabled' } })
})
