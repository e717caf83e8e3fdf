/** A fixed number of places for work in flight. */
export interface Slots {
  readonly inUse: number
  /** Takes a place when one is free now. */
  tryAcquire(): boolean
  /** Waits for a place in turn; false when `signal` aborted first. */
  acquire(signal: AbortSignal): Promise<boolean>
  release(): void
  /** Resolves when no place is in use. */
  idle(): Promise<void>
}

/** Creates `count` places, given out first come, first served. */
export function createSlots(count: number): Slots {
  const waiting = new Set<() => void>()
  const idle: (() => void)[] = []
  let inUse = 0
  return {
    get inUse() {
      return inUse
    },
    tryAcquire() {
      if (inUse >= count || waiting.size > 0) return false
      inUse += 1
      return true
    },
    acquire(signal) {
      if (this.tryAcquire()) return Promise.resolve(true)
      if (signal.aborted) return Promise.resolve(false)
      return new Promise((resolve) => {
        const grant = () => {
          signal.removeEventListener('abort', give)
          resolve(true)
        }
        const give = () => {
          waiting.delete(grant)
          resolve(false)
        }
        waiting.add(grant)
        signal.addEventListener('abort', give, { once: true })
      })
    },
    release() {
      const [next] = waiting
      if (next !== undefined) {
        waiting.delete(next)
        next()
        return
      }
      inUse -= 1
      if (inUse === 0) for (const resolve of idle.splice(0)) resolve()
    },
    idle() {
      return inUse === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))
    },
  }
}
