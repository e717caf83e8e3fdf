import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from './random.ts'

/** A process that is killed and comes back. */
export interface Victim {
  readonly name: string
  /** How often it is chosen, relative to the others. Default 1. */
  readonly weight?: number
  readonly isRunning: boolean
  kill(): Promise<void>
  /** Does nothing when it runs, or when another process starts it. */
  start(): void | Promise<void>
}

export interface KillLoopOptions {
  readonly victims: readonly Victim[]
  readonly random: Random
  /** Range of the time between two kills, in milliseconds; uniformly random. */
  readonly pauseMs: { readonly min: number; readonly max: number }
  /** The longest time that a victim stays dead. */
  readonly awayMs: number
  /** Aborts when nothing more is to be killed. */
  readonly over: AbortSignal
  /** Aborts when the run gives up, because a victim does not come back. */
  readonly signal: AbortSignal
  /** Called before each kill, which waits for it; one that resolves with false spares the victim. */
  readonly onKill?: (name: string) => unknown
  /** Waits; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/**
 * Kills a random victim at random moments and starts it again after a while, ready or not, so that faults overlap. Only the seed decides
 * the moments and the victims. A victim that is dead already is not killed; one that ended by itself is started. Resolves when all are
 * started again, with the number of kills of each.
 */
export async function killAtRandom(options: KillLoopOptions): Promise<Readonly<Record<string, number>>> {
  const { victims, random, pauseMs, awayMs, over, signal, onKill } = options
  const { wait = (ms, signal) => delay(ms, undefined, { signal }) } = options
  const kills = Object.fromEntries(victims.map(({ name }) => [name, 0]))
  const away = new Set<Victim>()
  const returns: Promise<void>[] = []

  const strike = async (victim: Victim, forMs: number): Promise<void> => {
    away.add(victim)
    if (victim.isRunning && (await onKill?.(victim.name)) !== false) {
      kills[victim.name] = (kills[victim.name] ?? 0) + 1
      await victim.kill()
      await wait(forMs, signal)
    }
    await victim.start()
    away.delete(victim)
  }

  const either = AbortSignal.any([over, signal])
  for (;;) {
    const pause = pauseMs.min + (pauseMs.max - pauseMs.min) * random.next()
    const victim = byWeight(victims, random)
    const forMs = awayMs * random.next()
    await wait(pause, either).catch((error: unknown) => {
      if (!over.aborted) throw error
    })
    signal.throwIfAborted()
    if (over.aborted) break
    if (victim === undefined || away.has(victim)) continue
    const back = strike(victim, forMs)
    // The loop reports the failure at its end.
    back.catch(() => undefined)
    returns.push(back)
  }
  await Promise.all(returns)
  return kills
}

/** One of them, more often a heavier one; undefined when there is none. */
export function byWeight<T extends { readonly weight?: number }>(items: readonly T[], random: Random): T | undefined {
  let left = random.next() * items.reduce((sum, { weight = 1 }) => sum + weight, 0)
  return items.find(({ weight = 1 }) => {
    left -= weight
    return left < 0
  })
}
