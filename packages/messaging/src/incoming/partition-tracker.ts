/** Tracks the messages in flight of one partition, and the offset that may be stored. */
export interface PartitionTracker {
  /** Aborts when the partition is lost. */
  readonly lost: AbortController
  /** Adds a message; false when it was added before, as Kafka sends unacknowledged ones again after a rebalance. */
  admit(offset: bigint): boolean
  acknowledge(offset: bigint): void
  /** The offset to store: the lowest one not acknowledged. Undefined when nothing has changed since `stored`. */
  pending(): bigint | undefined
  stored(offset: bigint): void
}

/** For one partition, as long as this member owns it. Messages must be admitted in the order of their offsets. */
export function createPartitionTracker(): PartitionTracker {
  // A Set keeps the order of insertion, so its first element is the lowest offset in flight.
  const inFlight = new Set<bigint>()
  let next: bigint | undefined
  let committed: bigint | undefined
  return {
    lost: new AbortController(),
    admit(offset) {
      if (next !== undefined && offset < next) {
        // Below the stored offset: the topic was created again, so earlier offsets are meaningless.
        if (committed === undefined || offset >= committed) return false
        inFlight.clear()
        committed = undefined
      }
      inFlight.add(offset)
      next = offset + 1n
      return true
    },
    acknowledge(offset) {
      inFlight.delete(offset)
    },
    pending() {
      const [lowest] = inFlight
      const position = lowest ?? next
      return position === committed ? undefined : position
    },
    stored(offset) {
      committed = offset
    },
  }
}
