import { describe, expect, it } from 'vitest'
import { createRateLimit } from './rate-limit.ts'

describe('createRateLimit', () => {
  function limited(mostClients?: number) {
    const clock = { ms: 0 }
    const limit = createRateLimit(
      { perSecond: 2, burst: 3 },
      { now: () => clock.ms, ...(mostClients !== undefined && { mostClients }) },
    )
    return { clock, ask: (client: string, times = 1) => Array.from({ length: times }, () => limit(client)) }
  }

  it('lets a burst through, then so many per second, and tells how long to wait', () => {
    const { clock, ask } = limited()
    expect(ask('a', 4)).toEqual([0, 0, 0, 1])
    clock.ms = 500
    expect(ask('a', 2)).toEqual([0, 1])
    clock.ms = 100_000
    expect(ask('a', 4)).toEqual([0, 0, 0, 1])
  })

  it('says how many seconds a slow rate takes', () => {
    const limit = createRateLimit({ perSecond: 0.1, burst: 1 }, { now: () => 0 })
    expect([limit('a'), limit('a')]).toEqual([0, 10])
  })

  it('counts each client by itself', () => {
    const { ask } = limited()
    ask('a', 10)
    expect(ask('b')).toEqual([0])
  })

  it('does not forget a limit for others that come, however many', () => {
    const { ask } = limited(100)
    expect(ask('a', 4)).toEqual([0, 0, 0, 1])
    for (let other = 0; other < 10_000; other += 1) ask(`other-${other}`)
    expect(ask('a')).toEqual([1])
  })

  it('limits those as well that find no place of their own', () => {
    const { ask } = limited(10)
    const refused = Array.from({ length: 10_000 }, (_, other) => ask(`other-${other}`)[0])
    expect(refused.filter((seconds) => seconds === 0).length).toBeLessThanOrEqual(10 + 3 * 1024)
  })

  it('has room again when buckets are full again', () => {
    const { clock, ask } = limited(10)
    for (let other = 0; other < 10; other += 1) ask(`other-${other}`, 3)
    clock.ms = 10_000
    for (let other = 0; other < 10; other += 1) expect(ask(`new-${other}`, 4)).toEqual([0, 0, 0, 1])
  })
})
