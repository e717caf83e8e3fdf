import { formatEventId, type Positions, parseEventId } from './event-id.ts'

export interface RingEntry {
  readonly partition: number
  readonly offset: bigint
  readonly id: string
  readonly text: Buffer
  /** Written before reading began: only for clients that resume. */
  readonly isPast: boolean
}

/** Read from `from` on; messages before `end` were there when reading began. */
export interface PartitionRange {
  readonly partition: number
  readonly from: bigint
  readonly end: bigint
}

/** Resumes at entry number `next`, skipping positions up to `after`. */
export interface ResumePoint {
  readonly next: number
  readonly after?: Positions
}

interface PartitionState {
  /** No message is missing from this offset on. */
  completeFrom: bigint
  last: bigint
  readonly end: bigint
}

/**
 * The latest events in the order they were read, numbered; the oldest are dropped first. Knows from which offset on each partition is
 * complete, so a client never resumes across a gap.
 */
export class ReplayRing {
  readonly #limits: { readonly maxEvents: number; readonly maxBytes: number }
  readonly #entries = new Map<number, RingEntry>()
  readonly #numbers = new Map<string, number>()
  readonly #partitions = new Map<number, PartitionState>()
  #bytes = 0
  #next = 0

  constructor(limits: { readonly maxEvents: number; readonly maxBytes: number }) {
    this.#limits = limits
  }

  /** Number of the oldest entry; equal to `next` when empty. */
  get first(): number {
    return this.#next - this.#entries.size
  }

  get next(): number {
    return this.#next
  }

  /** The last offset read; -1 for none. */
  position(partition: number): bigint {
    return this.#partitions.get(partition)?.last ?? -1n
  }

  /** The end of the partition when reading began. */
  end(partition: number): bigint {
    return this.#partitions.get(partition)?.end ?? 0n
  }

  /** Declares a partition's range. Forgets every entry: they may be of a deleted topic. */
  begin({ partition, from, end }: PartitionRange): void {
    while (this.#entries.size > 0) this.#evictOldest()
    this.#partitions.set(partition, { completeFrom: from, last: from - 1n, end })
  }

  /** Adds an event; its id is the position after it. */
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

  /** Undefined when dropped already, or not there yet. */
  at(number: number): RingEntry | undefined {
    return this.#entries.get(number)
  }

  /** Oldest first. */
  from(number: number): RingEntry[] {
    const entries: RingEntry[] = []
    for (let at = Math.max(number, this.first); at < this.#next; at += 1) {
      const entry = this.#entries.get(at)
      if (entry !== undefined) entries.push(entry)
    }
    return entries
  }

  /** Where a client that last saw `id` resumes; undefined when the id is unknown or older than the ring. */
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
