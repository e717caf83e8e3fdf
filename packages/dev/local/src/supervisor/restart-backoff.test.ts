import { describe, expect, it } from 'vitest'
import { createRestartBackoff } from './restart-backoff.ts'

describe('createRestartBackoff', () => {
  it('doubles the wait up to a maximum', () => {
    const backoff = createRestartBackoff({ initialMs: 100, maxMs: 500 })
    expect([0, 0, 0, 0, 0].map((upMs) => backoff.next(upMs))).toEqual([100, 200, 400, 500, 500])
  })

  it('starts over after a healthy while', () => {
    const backoff = createRestartBackoff({ initialMs: 100, healthyMs: 1000 })
    expect([0, 0, 1000, 999].map((upMs) => backoff.next(upMs))).toEqual([100, 200, 100, 200])
  })
})
