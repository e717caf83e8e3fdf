import { PartitionTracker } from '../incoming/partition-tracker.ts'

export interface PlaceSignals {
  /** Aborts when nothing new is to be begun. */
  readonly stopping: AbortSignal
  /** Aborts when the handlers' grace is over. */
  readonly expired: AbortSignal
}

/** Where a subscription is in a partition. */
export class Place {
  readonly partition: number
  readonly tracker: PartitionTracker
  /** Aborts when the partition is lost, or the handlers' grace is over. */
  readonly signal: AbortSignal
  /** Aborts when nothing new is to be begun. */
  readonly until: AbortSignal
  /** The next offset to look at. */
  next: bigint
  /** Reads by itself, as it does not keep up. */
  isBehind = true
  isCatchingUp = false

  /** `begin`: where the partition does; `stored`: where reading goes on, if that is known. */
  constructor(
    partition: number,
    { stored, begin }: { readonly stored: bigint | undefined; readonly begin: bigint },
    { stopping, expired }: PlaceSignals,
  ) {
    this.partition = partition
    this.tracker = new PartitionTracker({ next: stored ?? begin, isStored: stored !== undefined })
    this.next = stored === undefined || stored < begin ? begin : stored
    this.signal = AbortSignal.any([this.tracker.lost.signal, expired])
    this.until = AbortSignal.any([this.tracker.lost.signal, stopping])
  }

  /** The next message is one to be handled. */
  admit(offset: bigint): void {
    this.tracker.admit(offset)
    this.next = offset + 1n
  }

  /** What comes before this offset needs no handling. */
  pass(next: bigint): void {
    this.tracker.pass(next)
    this.next = next
  }

  lose(): void {
    this.tracker.lost.abort()
  }
}
