/** Most keys that are held; each of them is a parameter of a query. */
const MOST = 100

interface Held {
  readonly id: number
  readonly message: { readonly key: string | null }
}

/** Keys of messages that could not be delivered: their rows are left out of batches until they are tried again. */
export class HeldKeys {
  readonly #keys = new Set<string>()
  /** Rows without a key. */
  readonly #ids = new Set<number>()
  #untilMs = 0

  get keys(): readonly string[] {
    return [...this.#keys]
  }

  get ids(): readonly number[] {
    return [...this.#ids]
  }

  get isEmpty(): boolean {
    return this.#keys.size + this.#ids.size === 0
  }

  /** Most likely no message can be delivered. */
  get areTooMany(): boolean {
    return this.#keys.size + this.#ids.size >= MOST
  }

  /** Milliseconds until they are tried again. */
  get leftMs(): number {
    return Math.max(0, this.#untilMs - performance.now())
  }

  /** `nextMs` gives the time until they are tried again, when no key is held yet. */
  hold(rows: readonly Held[], nextMs: () => number): void {
    if (this.isEmpty && rows.length > 0) this.#untilMs = performance.now() + nextMs()
    for (const { id, message } of rows) {
      if (message.key === null) this.#ids.add(id)
      else this.#keys.add(message.key)
    }
  }

  /** Forgets them when their time is over. */
  release(): void {
    if (this.leftMs > 0) return
    this.#keys.clear()
    this.#ids.clear()
  }
}
