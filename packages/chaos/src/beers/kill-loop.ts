import { setTimeout as delay } from 'node:timers/promises'
import type { Power } from './broker.ts'

/** What is killed, and how often. */
export interface KillLoopOptions {
  readonly victims: readonly Power[]
  readonly durationMs: number
  /** A uniform draw from [0, 1). */
  readonly random: () => number
  /** The longest time between two kills; the shortest is a quarter of it. */
  readonly pauseMs: number
  readonly signal: AbortSignal
  /** Waits; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** The longest time that a victim stays away. */
const AWAY_MS = 1000

/**
 * Kills a random victim at random moments and starts it again up to a second later, ready or not, so that faults overlap; resolves
 * after the duration, with all of them started.
 */
export async function killAtRandom(options: KillLoopOptions): Promise<void> {
  const { victims, durationMs, random, pauseMs, signal } = options
  const { wait = (ms, signal) => delay(ms, undefined, { signal }) } = options
  const until = performance.now() + durationMs
  const returns: Promise<void>[] = []
  const comeBack = async (victim: Power): Promise<void> => {
    await victim.kill()
    await wait(random() * AWAY_MS, signal)
    await victim.start()
  }
  for (;;) {
    const pause = pauseMs * (0.25 + 0.75 * random())
    if (performance.now() + pause >= until) break
    await wait(pause, signal)
    const there = victims.filter(({ isRunning }) => isRunning)
    const victim = there[Math.floor(random() * there.length)]
    if (victim === undefined) continue
    const back = comeBack(victim)
    // Its failure is told at the end.
    back.catch(() => undefined)
    returns.push(back)
  }
  await wait(Math.max(0, until - performance.now()), signal)
  await Promise.all(returns)
}
