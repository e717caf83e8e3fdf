import { setTimeout as delay } from 'node:timers/promises'

/**
 * Does something `perSecond` times a second, whether or not what began before is done, until it is disposed of; then waits for what is under
 * way. `act` must not reject.
 */
export function steadily(perSecond: number, act: (index: number) => Promise<void>): AsyncDisposable {
  const over = new AbortController()
  const underWay = new Set<Promise<void>>()

  async function go(): Promise<void> {
    const startedAt = performance.now()
    for (let index = 0; !over.signal.aborted; index += 1) {
      const wait = startedAt + (index / perSecond) * 1000 - performance.now()
      if (wait > 0) await delay(wait, undefined, { signal: over.signal }).catch(() => undefined)
      if (over.signal.aborted) return
      const one = act(index).finally(() => underWay.delete(one))
      underWay.add(one)
    }
  }

  const going = go()
  return {
    async [Symbol.asyncDispose]() {
      over.abort()
      await going
      await Promise.all(underWay)
    },
  }
}
