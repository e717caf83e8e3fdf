import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type KillLoopOptions, killAtRandom, type Victim } from './kill-loop.ts'
import { createRandom } from './random.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const { signal } = new AbortController()

/** A wait on the fake clock. */
function wait(ms: number, until: AbortSignal = signal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms)
    until.addEventListener('abort', () => reject(until.reason))
  })
}

/** Something to kill that takes some time to die. */
function makeVictim(name: string, diesInMs = 500) {
  const victim = {
    name,
    isRunning: true,
    kill: async () => {
      expect(victim.isRunning).toBe(true)
      victim.isRunning = false
      await wait(diesInMs)
    },
    start: () => {
      victim.isRunning = true
    },
  }
  return victim
}

/** Kills for a minute of the fake clock; gives how often, and each kill with its moment. */
async function killForAMinute(victims: readonly Victim[], options: Partial<KillLoopOptions> & { seed?: number } = {}) {
  const over = new AbortController()
  const log: string[] = []
  const startedAt = Date.now()
  const run = killAtRandom({
    victims,
    random: createRandom(options.seed ?? 1),
    pauseMs: { min: 500, max: 2000 },
    awayMs: 1000,
    over: over.signal,
    signal,
    onKill: (name) => log.push(`${Date.now() - startedAt} ${name}`),
    wait,
    ...options,
  })
  const kills = run.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  await vi.advanceTimersByTimeAsync(60_000)
  over.abort()
  await vi.advanceTimersByTimeAsync(3000)
  const outcome = await kills
  if ('error' in outcome) throw outcome.error
  return { kills: outcome.value, log }
}

describe('killAtRandom', () => {
  it('kills every victim again and again until it is over, counts, and leaves all running', async () => {
    const victims = ['a', 'b', 'c'].map((name) => makeVictim(name))
    const { kills, log } = await killForAMinute(victims)
    for (const { name } of victims) expect(kills[name]).toBeGreaterThan(5)
    expect(Object.values(kills).reduce((sum, times) => sum + times)).toBe(log.length)
    expect(victims.map(({ isRunning }) => isRunning)).toEqual([true, true, true])
  })

  it('kills the same at the same moments for the same seed, however long they take to die', async () => {
    const logs: string[][] = []
    for (const [seed, diesInMs] of [
      [7, 10],
      [7, 900],
      [8, 10],
    ] as const) {
      const victims = ['a', 'b', 'c', 'd'].map((name) => makeVictim(name, diesInMs))
      logs.push((await killForAMinute(victims, { seed, pauseMs: { min: 2000, max: 4000 } })).log)
    }
    expect(logs[1]).toEqual(logs[0])
    expect(logs[2]).not.toEqual(logs[0])
  })

  it('starts a victim that ended by itself, and does not count that', async () => {
    const victim = { ...makeVictim('a'), isRunning: false, kill: vi.fn(), start: vi.fn() }
    expect((await killForAMinute([victim])).kills).toEqual({ a: 0 })
    expect(victim.start).toHaveBeenCalled()
    expect(victim.kill).not.toHaveBeenCalled()
  })

  it('spares a victim for which false is said, and does not count that', async () => {
    const victim = { ...makeVictim('a'), kill: vi.fn(), start: vi.fn() }
    expect((await killForAMinute([victim], { onKill: async () => false })).kills).toEqual({ a: 0 })
    expect(victim.kill).not.toHaveBeenCalled()
  })

  it('reports a victim that cannot be killed', async () => {
    const victim = { ...makeVictim('a'), kill: () => Promise.reject(new Error('no such container')) }
    await expect(killForAMinute([victim])).rejects.toThrow('no such container')
  })

  it('gives up when its signal aborts', async () => {
    const ended = AbortSignal.abort(new Error('ended by SIGTERM'))
    await expect(killForAMinute([makeVictim('a')], { signal: ended, wait: async () => {} })).rejects.toThrow('SIGTERM')
  })
})
