/** The messages of one assigned partition that are being handled, and what may be stored as its offset. */
export interface PartitionTracker {
  /** Aborts when the partition is lost. */
  readonly lost: AbortController
  /** Takes a message in; false when it was taken before (a rebalance makes Kafka send unacknowledged ones again). */
  admit(offset: bigint): boolean
  acknowledge(offset: bigint): void
  /** The offset to store, that is the lowest one not acknowledged; undefined when nothing changed since `stored`. */
  pending(): bigint | undefined
  stored(offset: bigint): void
}

/** Tracks one partition, for as long as this member owns it. Messages must be admitted in the order of their offsets. */
export function createPartitionTracker(): PartitionTracker {
  // A Set keeps the order of insertion, so its first element is the lowest offset in flight.
  const inFlight = new Set<bigint>()
  let next: bigint | undefined
  let committed: bigint | undefined
  return {
    lost: new AbortController(),
    admit(offset) {
      if (next !== undefined && offset < next) {
        // Below what is stored: the log itself went back (topic made anew), so what came before counts no more.
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
