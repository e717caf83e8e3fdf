import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work that can be interrupted after each step. */
export type Steps<T> = Iterator<void, T>

/** The time in milliseconds after which {@link inTurns} yields to other work. */
const TURN_MS = 5

/** Runs all steps. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Runs all steps, and yields to other work every 5 ms: a few kilobytes can become 16 MiB. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let turnEndsAt = performance.now() + TURN_MS
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() < turnEndsAt) continue
    await nextTurn()
    turnEndsAt = performance.now() + TURN_MS
  }
}
