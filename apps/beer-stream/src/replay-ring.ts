import { formatEventId, type Positions, parseEventId } from './event-id.ts'

/** An event as it was sent. */
export interface RingEntry {
  readonly partition: number
  readonly offset: bigint
  readonly id: string
  readonly text: Buffer
  /** Written before reading began: here to resume from, not for clients that want what is new. */
  readonly isPast: boolean
}

/** Which part of a partition is read: all from `from` on; what lies before `end` was there when reading began. */
export interface PartitionRange {
  readonly partition: number
  readonly from: bigint
  readonly end: bigint
}

/** Where a client resumes: at the entry with the number `next`, leaving out what is not above `after`. */
export interface ResumePoint {
  readonly next: number
  readonly after?: Positions
}

/** The most a {@link ReplayRing} keeps. */
export interface RingLimits {
  readonly maxEvents: number
  readonly maxBytes: number
}

interface PartitionState {
  /** From here on nothing is missing. */
  completeFrom: bigint
  last: bigint
  readonly end: bigint
}

/**
 * The latest events in the order they were read, each with a running number; the oldest give way. It knows from which offset on
 * it is complete in each partition, so that it never resumes a client across a gap.
 */
export class ReplayRing {
  readonly #limits: RingLimits
  readonly #entries = new Map<number, RingEntry>()
  readonly #numbers = new Map<string, number>()
  readonly #partitions = new Map<number, PartitionState>()
  #bytes = 0
  #next = 0

  constructor(limits: RingLimits) {
    this.#limits = limits
  }

  /** Number of the oldest entry kept; equal to `next` when there is none. */
  get first(): number {
    return this.#next - this.#entries.size
  }

  /** Number that the next entry will have. */
  get next(): number {
    return this.#next
  }

  /** The last offset read of a partition, -1 for none. */
  position(partition: number): bigint {
    return this.#partitions.get(partition)?.last ?? -1n
  }

  /** The offset before which the messages of a partition were there when reading began. */
  end(partition: number): bigint {
    return this.#partitions.get(partition)?.end ?? 0n
  }

  /** Declares how a partition is read. Forgets every entry, as they may belong to a topic that is no more. */
  begin({ partition, from, end }: PartitionRange): void {
    while (this.#entries.size > 0) this.#evictOldest()
    this.#partitions.set(partition, { completeFrom: from, last: from - 1n, end })
  }

  /** Adds an event and returns its entry; its id is the position after it. */
  push(event: { partition: number; offset: bigint; encode: (id: string) => Buffer }): RingEntry {
    const { partition, offset } = event
    const state = this.#partitions.get(partition) ?? { completeFrom: offset, last: offset, end: offset }
    state.last = offset
    this.#partitions.set(partition, state)
    const id = formatEventId([...this.#partitions].map(([number, { last }]) => [number, last]))
    const entry = { partition, offset, id, text: event.encode(id), isPast: offset < state.end }
    this.#entries.set(this.#next, entry)
    this.#numbers.set(id, this.#next)
    this.#next += 1
    this.#bytes += entry.text.length
    while (this.#entries.size > this.#limits.maxEvents || this.#bytes > this.#limits.maxBytes) this.#evictOldest()
    return entry
  }

  /** The entry with this number; undefined when it has given way or is not there yet. */
  at(number: number): RingEntry | undefined {
    return this.#entries.get(number)
  }

  /** Entries from a number on, oldest first. */
  from(number: number): RingEntry[] {
    const entries: RingEntry[] = []
    for (let at = Math.max(number, this.first); at < this.#next; at += 1) {
      const entry = this.#entries.get(at)
      if (entry !== undefined) entries.push(entry)
    }
    return entries
  }

  /** Where a client goes on that saw the event `id` last; undefined when the id is unknown or older than what is kept. */
  resumeAfter(id: string): ResumePoint | undefined {
    const number = this.#numbers.get(id)
    if (number !== undefined) return { next: number + 1 }
    const after = parseEventId(id)
    return after !== undefined && this.#isCovered(after) ? { next: this.first, after } : undefined
  }

  #isCovered(after: Positions): boolean {
    for (const partition of after.keys()) if (!this.#partitions.has(partition)) return false
    for (const [partition, { completeFrom, last, end }] of this.#partitions) {
      const seen = after.get(partition) ?? -1n
      if (seen + 1n < completeFrom || (seen > last && seen >= end)) return false
    }
    return true
  }

  #evictOldest(): void {
    const entry = this.#entries.get(this.first)
    if (entry === undefined) return
    this.#entries.delete(this.first)
    this.#numbers.delete(entry.id)
    this.#bytes -= entry.text.length
    const state = this.#partitions.get(entry.partition)
    if (state !== undefined) state.completeFrom = entry.offset + 1n
  }
}
