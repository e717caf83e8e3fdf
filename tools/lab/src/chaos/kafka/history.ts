/** When a client asked for something and when it had its answer, in milliseconds of one clock; Infinity: it never had one. */
interface Span {
  readonly invoked: number
  readonly returned: number
}

/** A record that was sent; without an offset it may have been written or not. */
export interface Append extends Span {
  readonly partition: number
  readonly value: string
  readonly offset: number | undefined
}

/** A record that a consumer got. */
export interface Read {
  readonly partition: number
  readonly offset: number
  readonly value: string
  readonly at: number
}

/** The end of a partition, as a client saw it. */
export interface End extends Span {
  readonly partition: number
  readonly offset: number
}

/** An offset that was committed, always a larger one than before, or fetched. */
export interface Position extends Span {
  readonly kind: 'commit' | 'fetch'
  readonly offset: number
}

/** All that the clients of one topic did and saw, and its records afterwards. */
export interface LogHistory {
  readonly appends: readonly Append[]
  readonly reads: readonly Read[]
  readonly ends: readonly End[]
  readonly positions: readonly Position[]
  readonly log: readonly Read[]
}

/** One transaction: its number was written to each of two partitions, and committed as the offset of a group. */
export interface PairedTransaction {
  readonly number: number
  /** Undefined: its client did not see how it ended. */
  readonly outcome: 'commit' | 'abort' | undefined
}
