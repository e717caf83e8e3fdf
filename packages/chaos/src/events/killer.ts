import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from './random.ts'

/** Something that can be killed. */
export interface Victim {
  readonly name: string
  /** How often it is chosen, beside the others. */
  readonly weight: number
  /** False when there was nothing to kill. */
  kill(): boolean
}

/** Kills victims at random until `isOver`; gives how often each was killed. */
export async function killAtRandom(options: {
  readonly victims: readonly Victim[]
  readonly random: Random
  /** Mean milliseconds between two kills; each pause is between nothing and twice as long. */
  readonly everyMs: number
  readonly isOver: () => boolean
  readonly log: (line: string) => void
}): Promise<Readonly<Record<string, number>>> {
  const { victims, random, everyMs, isOver, log } = options
  const kills = Object.fromEntries(victims.map(({ name }) => [name, 0]))
  const startedAt = performance.now()
  for (;;) {
    const until = performance.now() + random.next() * 2 * everyMs
    while (performance.now() < until && !isOver()) await delay(Math.min(50, Math.max(1, until - performance.now())))
    if (isOver()) return kills
    const victim = random.pick(victims)
    if (victim?.kill() !== true) continue
    kills[victim.name] = (kills[victim.name] ?? 0) + 1
    log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s: killed ${victim.name}`)
  }
}
