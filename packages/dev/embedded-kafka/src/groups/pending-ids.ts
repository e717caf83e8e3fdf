/** Ids that were given to clients and with which they have not joined yet; each expires (KIP-394). */
export class PendingIds {
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #onExpired: () => void

  constructor(onExpired: () => void) {
    this.#onExpired = onExpired
  }

  get size(): number {
    return this.#timers.size
  }

  has(memberId: string): boolean {
    return this.#timers.has(memberId)
  }

  add(memberId: string, timeoutMs: number): void {
    const expire = (): void => {
      this.forget(memberId)
      this.#onExpired()
    }
    this.#timers.set(memberId, setTimeout(expire, timeoutMs))
  }

  /** Returns whether it existed. */
  forget(memberId: string): boolean {
    clearTimeout(this.#timers.get(memberId))
    return this.#timers.delete(memberId)
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
