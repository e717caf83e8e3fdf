import { describe, expect, it } from 'vitest'
import { Deliveries, failureText, noteRetry } from './deliveries.ts'

const unreachable = {
  delivered: false,
  retryable: true,
  reason: 'unreachable',
  detail: 'connect ECONNREFUSED',
} as const

describe('Deliveries', () => {
  it('sums up those that have not ended, by the oldest and by the one that failed most', () => {
    const deliveries = new Deliveries()
    expect(deliveries.summary()).toEqual({ underWay: 0 })
    const now = performance.now()
    const [first, second] = [deliveries.begin(now - 5000), deliveries.begin(now)]
    expect(deliveries.summary(now)).toEqual({ underWay: 2, oldestMs: 5000 })
    noteRetry(second, { attempt: 3, waitMs: 60_000, outcome: unreachable })
    expect(deliveries.summary(now)).toMatchObject({
      ...{ underWay: 2, oldestMs: 5000, failedAttempts: 3 },
      lastFailure: 'unreachable: connect ECONNREFUSED',
    })
    expect(deliveries.summary(now + 120_000)).toMatchObject({ nextAttemptMs: 0 })
    deliveries.end(first)
    deliveries.end(second)
    expect(deliveries.summary()).toEqual({ underWay: 0 })
  })
})

describe('failureText', () => {
  it.each<[Parameters<typeof failureText>[0], string]>([
    [{ reason: 'status', status: 503, body: Buffer.from(' closed\n') }, 'answered 503 (closed)'],
    [{ reason: 'status', status: 404 }, 'answered 404'],
    [{ reason: 'timeout' }, 'timeout'],
    [{ reason: 'unreachable', cause: new Error('no route') }, 'unreachable: no route'],
    [{ reason: 'invalid-reply', status: 502, detail: 'no type' }, 'invalid-reply: no type'],
    [{ reason: 'status', status: 500, body: Buffer.from('\u001b[31m') }, 'answered 500 (\\u001b[31m)'],
  ])('of %j is %s', (failure, text) => {
    expect(failureText(failure)).toBe(text)
  })

  it('is bounded', () => {
    expect(failureText({ reason: 'status', status: 500, body: Buffer.alloc(1024, 'x') }).length).toBeLessThan(240)
  })
})
