/** One timer for each member; starting it again ends the one before. */
export class MemberTimers {
  readonly #timers = new Map<string, NodeJS.Timeout>()

  start(memberId: string, afterMs: number, action: () => void): void {
    this.end(memberId)
    const timer = setTimeout(() => {
      this.#timers.delete(memberId)
      action()
    }, afterMs)
    this.#timers.set(memberId, timer)
  }

  end(memberId: string): void {
    clearTimeout(this.#timers.get(memberId))
    this.#timers.delete(memberId)
  }

  has(memberId: string): boolean {
    return this.#timers.has(memberId)
  }

  endAll(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
