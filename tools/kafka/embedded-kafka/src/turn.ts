import { setImmediate } from 'node:timers/promises'

/** How long one piece of work may block the event loop, in ms. */
const TURN_MS = 5

/** Lets long work pause in time, so that other clients are served. */
export class Turn {
  #endsAt = performance.now() + TURN_MS

  /** Undefined while there is time left, else a promise that resolves in the next turn of the event loop. */
  giveWay(): Promise<void> | undefined {
    return performance.now() < this.#endsAt ? undefined : this.#next()
  }

  async #next(): Promise<void> {
    await setImmediate()
    this.#endsAt = performance.now() + TURN_MS
  }
}

/** Maps items one after the other, pausing in between when it takes long. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R | Promise<R>): Promise<R[]> {
  const turn = new Turn()
  const results: R[] = []
  for (const item of items) {
    const result = map(item)
    results.push(result instanceof Promise ? await result : result)
    const pause = turn.giveWay()
    if (pause) await pause
  }
  return results
}
