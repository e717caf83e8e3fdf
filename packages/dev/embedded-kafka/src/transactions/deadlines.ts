/** One timer for each id. */
export class Deadlines {
  readonly #timers = new Map<string, NodeJS.Timeout>()

  set(id: string, delayMs: number, onReached: () => void): void {
    this.#timers.set(id, setTimeout(onReached, delayMs))
  }

  clear(id: string): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
  }

  clearAll(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
