/**
 * Limits the work in flight to `count` pieces with `maxBytes` in all, admitted in order of arrival. A larger piece is admitted when it is
 * alone.
 */
export class InFlightLimit {
  readonly #count: number
  readonly #maxBytes: number
  /** The function that admits a waiting piece, and its bytes. */
  readonly #waiting = new Map<() => void, number>()
  readonly #idle: (() => void)[] = []
  #inUse = 0
  #bytesInUse = 0

  constructor(count: number, maxBytes: number = Number.POSITIVE_INFINITY) {
    this.#count = count
    this.#maxBytes = maxBytes
  }

  /** Admits a piece of work if there is room and nothing waits. */
  tryAcquire(bytes = 0): boolean {
    return this.#waiting.size === 0 && this.#take(bytes)
  }

  /** Waits for room, in turn; false when `signal` aborted first. */
  acquire(signal: AbortSignal, bytes = 0): Promise<boolean> {
    if (this.tryAcquire(bytes)) return Promise.resolve(true)
    if (signal.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const admit = () => {
        signal.removeEventListener('abort', giveUp)
        resolve(true)
      }
      const giveUp = () => {
        this.#waiting.delete(admit)
        resolve(false)
        // The next ones may need less room.
        this.#admitWaiting()
      }
      this.#waiting.set(admit, bytes)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** Ends a piece of work; `bytes` as acquired. */
  release(bytes = 0): void {
    this.#inUse -= 1
    this.#bytesInUse -= bytes
    this.#admitWaiting()
    if (this.#inUse === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** Resolves when nothing is in flight. */
  idle(): Promise<void> {
    return this.#inUse === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  #take(bytes: number): boolean {
    if (this.#inUse >= this.#count || (this.#inUse > 0 && this.#bytesInUse + bytes > this.#maxBytes)) return false
    this.#inUse += 1
    this.#bytesInUse += bytes
    return true
  }

  #admitWaiting(): void {
    for (const [admit, bytes] of this.#waiting) {
      if (!this.#take(bytes)) return
      this.#waiting.delete(admit)
      admit()
    }
  }
}
