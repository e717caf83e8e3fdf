/**
 * The messages in flight of one partition, and the offset that may be stored, as long as this member owns it. Messages must be admitted in
 * the order of their offsets.
 */
export class PartitionTracker {
  /** Aborts when the partition is lost. */
  readonly lost = new AbortController()
  /** A Set keeps the order of insertion, so its first element is the lowest offset in flight. */
  readonly #inFlight = new Set<bigint>()
  #next: bigint | undefined
  #committed: bigint | undefined
  /** Kafka sends messages again from here on, until it has sent them all. */
  #resendsFrom: bigint | undefined

  /**
   * The group was joined again: reading goes on at the offset that was stored by then, even if later ones are stored before its messages
   * arrive.
   */
  rejoined(): void {
    this.#resendsFrom = this.#committed
  }

  /** Adds a message; false when it was added before, as Kafka sends unacknowledged ones again after a rebalance. */
  admit(offset: bigint): boolean {
    if (this.#next !== undefined && offset < this.#next) {
      const isResent = this.#resendsFrom !== undefined && offset >= this.#resendsFrom
      if (offset === this.#next - 1n) this.#resendsFrom = undefined
      if (isResent) return false
      // Below the stored offset: the topic was created again, so earlier offsets are meaningless.
      if (this.#committed === undefined || offset >= this.#committed) return false
      this.#inFlight.clear()
      this.#committed = undefined
    }
    this.#resendsFrom = undefined
    this.#inFlight.add(offset)
    this.#next = offset + 1n
    return true
  }

  acknowledge(offset: bigint): void {
    this.#inFlight.delete(offset)
  }

  /** The offset to store: the lowest one not acknowledged. Undefined when nothing has changed since `stored`. */
  pending(): bigint | undefined {
    const [lowest] = this.#inFlight
    const position = lowest ?? this.#next
    return position === this.#committed ? undefined : position
  }

  stored(offset: bigint): void {
    this.#committed = offset
  }
}
