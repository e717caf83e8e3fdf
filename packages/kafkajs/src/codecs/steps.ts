import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work in pieces: it may be left and gone on with after each. */
export type Steps<T> = Iterator<void, T>

/** So long one turn of the event loop is taken, in milliseconds. */
const TURN_MS = 5

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Lets other work have its turn every 5 ms: a few kilobytes can become 16 MiB. */
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
