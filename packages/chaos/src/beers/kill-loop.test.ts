import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRandom } from '../events/random.ts'
import { killAtRandom } from './kill-loop.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A wait on the fake clock. */
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const { signal } = new AbortController()

/** Something to kill that notes it, and that takes half a second to die. */
function makeVictim(name: string) {
  const victim = {
    name,
    isRunning: true,
    kills: 0,
    failures: [],
    kill: async () => {
      expect(victim.isRunning).toBe(true)
      victim.isRunning = false
      victim.kills += 1
      await wait(500)
    },
    start: () => {
      victim.isRunning = true
    },
  }
  return victim
}

describe('killAtRandom', () => {
  it('kills every victim again and again, for so long, and leaves all running', async () => {
    const victims = ['a', 'b', 'c'].map(makeVictim)
    const options = { durationMs: 60_000, pauseMs: 2000, random: createRandom(1).next, signal, wait }
    const run = killAtRandom({ ...options, victims })
    await vi.advanceTimersByTimeAsync(59_000)
    for (const { kills } of victims) expect(kills).toBeGreaterThan(5)
    await vi.advanceTimersByTimeAsync(3000)
    await run
    expect(victims.map(({ isRunning }) => isRunning)).toEqual([true, true, true])
  })

  it('does the same for the same seed', async () => {
    const kills = await Promise.all(
      [7, 7, 8].map(async (seed) => {
        const victims = ['a', 'b', 'c', 'd'].map(makeVictim)
        const random = createRandom(seed).next
        const run = killAtRandom({ victims, random, durationMs: 90_000, pauseMs: 1000, signal, wait })
        await vi.advanceTimersByTimeAsync(100_000)
        await run
        return victims.map((victim) => victim.kills).join()
      }),
    )
    expect(kills[1]).toBe(kills[0])
    expect(kills[2]).not.toBe(kills[0])
  })

  it('tells of a victim that cannot be killed', async () => {
    const victim = { ...makeVictim('a'), kill: () => Promise.reject(new Error('no such container')) }
    const run = killAtRandom({ victims: [victim], random: Math.random, durationMs: 5000, pauseMs: 1000, signal, wait })
    const failed = expect(run).rejects.toThrow('no such container')
    await vi.advanceTimersByTimeAsync(10_000)
    await failed
  })
})
