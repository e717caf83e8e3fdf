import { PartitionTracker } from '../incoming/partition-tracker.ts'

export interface PlaceSignals {
  /** Aborts when nothing new is to be begun. */
  readonly stopping: AbortSignal
  /** Aborts when the handlers' grace is over. */
  readonly expired: AbortSignal
}

/** Where the reader of all is in a partition. */
export interface Head {
  readonly next: bigint
  /** Messages that it has offered. */
  readonly count: number
}

/** Where a subscription is in a partition. */
export class Place {
  readonly partition: number
  readonly tracker: PartitionTracker
  /** Aborts when the partition is lost, or the handlers' grace is over. */
  readonly signal: AbortSignal
  /** Aborts when nothing new is to be begun. */
  readonly until: AbortSignal
  /** Reads by itself, as it does not keep up. */
  isBehind = true
  isCatchingUp = false
  #next: bigint
  #head: Head | undefined
  /** Messages of the head that are in `next`. */
  #counted = 0
  #unasked = 0

  /** `begin`: where the partition does; `stored`: where reading goes on, if that is known. */
  constructor(
    partition: number,
    { stored, begin }: { readonly stored: bigint | undefined; readonly begin: bigint },
    { stopping, expired }: PlaceSignals,
  ) {
    this.partition = partition
    this.tracker = new PartitionTracker({ next: stored ?? begin, isStored: stored !== undefined })
    this.#next = stored === undefined || stored < begin ? begin : stored
    this.signal = AbortSignal.any([this.tracker.lost.signal, expired])
    this.until = AbortSignal.any([this.tracker.lost.signal, stopping])
  }

  /** The next offset to look at. */
  get next(): bigint {
    this.#settle()
    return this.#next
  }

  /** Messages that went by while it followed the head. */
  get unasked(): number {
    this.#settle()
    return this.#unasked
  }

  /** Whether what the head offers next is the next for it, too. */
  isAt(head: Head): boolean {
    return !this.isBehind && !this.until.aborted && this.#next === head.next
  }

  /** Begins where the head is: what is offered from there on is passed by, until it unfollows. */
  follow(head: Head): void {
    this.#head = head
    this.#counted = head.count
  }

  unfollow(): void {
    this.#settle()
    this.#head = undefined
  }

  /** The next message is one to be handled. */
  admit(offset: bigint): void {
    this.tracker.admit(offset)
    this.#next = offset + 1n
  }

  /** What comes before this offset needs no handling. */
  pass(next: bigint): void {
    this.tracker.pass(next)
    this.#next = next
  }

  /** What comes before this offset is not there any more. */
  skipTo(next: bigint): void {
    this.#next = next
  }

  lose(): void {
    this.unfollow()
    this.tracker.lost.abort()
  }

  /** Itself, with what it has followed so far. */
  settled(): this {
    this.#settle()
    return this
  }

  #settle(): void {
    const head = this.#head
    if (head === undefined || head.count === this.#counted) return
    this.#unasked += head.count - this.#counted
    this.#counted = head.count
    this.pass(head.next)
  }
}
