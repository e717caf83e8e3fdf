/** How long after its last request a client counts as looking. */
const LINGER_MS = 60_000

/** True while a client has a live answer open, or has asked within the last minute. Polling is slower otherwise. */
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

  /** A client looks until this is disposed of. */
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

  /** Calls `listener` when the first client begins to look. */
  onBegin(listener: () => void): void {
    this.#listeners.add(listener)
  }
}
