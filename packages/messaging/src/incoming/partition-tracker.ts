/**
 * The messages in flight of one partition, and the offset that may be stored, as long as this member owns it. Messages must be admitted in
 * the order of their offsets.
 */
export class PartitionTracker {
  /** Aborts when the partition is lost. */
  readonly lost = new AbortController()
  /** By the last offset of a message, where it begins. A Map keeps the order of insertion, so its first entry is the lowest in flight. */
  readonly #inFlight = new Map<bigint, bigint>()
  #next: bigint | undefined
  #committed: bigint | undefined
  /** Kafka sends messages again from here on, until it has sent them all. */
  #resendsFrom: bigint | undefined

  /** Where reading begins, and whether that is what is stored, as far as they are known. */
  constructor({ next, isStored = false }: { readonly next?: bigint; readonly isStored?: boolean } = {}) {
    this.#next = next
    if (isStored) this.#committed = next
  }

  /** Sets the stored offset at which reading begins; has no effect once messages were admitted. */
  startAt(stored: bigint): void {
    if (this.#next !== undefined) return
    this.#next = stored
    this.#committed = stored
  }

  /** What was stored last; undefined when nothing is known to be. */
  get committed(): bigint | undefined {
    return this.#committed
  }

  /**
   * The group was joined again: reading goes on at the offset that was stored by then, even if later ones are stored before its messages
   * arrive.
   */
  rejoined(): void {
    this.#resendsFrom = this.#committed
  }

  /**
   * Adds a message; false when it was added before, as Kafka sends unacknowledged ones again after a rebalance. What cannot be decoded stands
   * for all offsets from `first` on.
   */
  admit(offset: bigint, first = offset): boolean {
    let from = first
    if (this.#next !== undefined && offset < this.#next) {
      const isResent = this.#resendsFrom !== undefined && offset >= this.#resendsFrom
      if (offset === this.#next - 1n) this.#resendsFrom = undefined
      if (isResent) return false
      // Below the stored offset: the topic was created again, so earlier offsets are meaningless.
      if (this.#committed === undefined || offset >= this.#committed) return false
      this.#inFlight.clear()
      this.#committed = undefined
    } else if (this.#next !== undefined && first < this.#next) {
      from = this.#next
    }
    this.#resendsFrom = undefined
    this.#inFlight.set(offset, from)
    this.#next = offset + 1n
    return true
  }

  /** Goes on at this offset: what comes before it and was never admitted needs no handling. */
  pass(next: bigint): void {
    this.#next = next
  }

  acknowledge(offset: bigint): void {
    this.#inFlight.delete(offset)
  }

  /** The lowest offset that is not acknowledged; undefined before the first message. */
  get position(): bigint | undefined {
    const [lowest] = this.#inFlight.values()
    return lowest ?? this.#next
  }

  /** The offset to store. Undefined when nothing has changed since `stored`. */
  pending(): bigint | undefined {
    const { position } = this
    return position === this.#committed ? undefined : position
  }

  stored(offset: bigint): void {
    this.#committed = offset
  }
}
