/** The memory of a connection. */
export interface Holder {
  /** Called when all together hold too much, and this one holds the most. */
  drop(): void
}

/** How many bytes of requests and answers all connections hold. Above the limit, the one that holds most is dropped. */
export class HeldBytes {
  readonly #max: number
  readonly #held = new Map<Holder, number>()
  #total = 0

  constructor(max: number) {
    this.#max = max
  }

  get total(): number {
    return this.#total
  }

  /** Call with the bytes that a holder has now, 0 to forget it. */
  set(holder: Holder, bytes: number): void {
    this.#total += bytes - (this.#held.get(holder) ?? 0)
    if (bytes === 0) this.#held.delete(holder)
    else this.#held.set(holder, bytes)
    while (this.#total > this.#max) this.#dropLargest()
  }

  #dropLargest(): void {
    let largest: Holder | undefined
    let most = 0
    for (const [holder, bytes] of this.#held) {
      if (bytes > most) {
        largest = holder
        most = bytes
      }
    }
    if (!largest) return
    this.#held.delete(largest)
    this.#total -= most
    largest.drop()
  }
}
