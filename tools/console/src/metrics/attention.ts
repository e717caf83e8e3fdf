/** How long after an answer somebody is taken to look still. */
const LINGER_MS = 60_000

/** Whether somebody looks: has a live answer open, or asked within the last minute. What is only to be looked at can wait otherwise. */
export class Attention {
  #open = 0
  #last = Number.NEGATIVE_INFINITY
  readonly #listeners = new Set<() => void>()

  get isPaid(): boolean {
    return this.#open > 0 || performance.now() - this.#last < LINGER_MS
  }

  note(): void {
    const wasPaid = this.isPaid
    this.#last = performance.now()
    if (!wasPaid) for (const listener of this.#listeners) listener()
  }

  /** Somebody looks until this is disposed of. */
  hold(): Disposable {
    this.note()
    this.#open += 1
    return {
      [Symbol.dispose]: () => {
        this.#open -= 1
        this.#last = performance.now()
      },
    }
  }

  /** Calls `listener` when somebody begins to look. */
  onBegin(listener: () => void): void {
    this.#listeners.add(listener)
  }
}
