import type { Contender } from '../harness/contender.ts'

/** Ours beside a peer in the same rounds. A row needs no budget to be shown. */
export interface Row {
  readonly what: string
  readonly ours: Contender
  readonly peer: Contender
  /** Budget: the lowest ratio of our rate to the peer's. */
  readonly atLeast?: number
  /** Budget: the most that ours may take longer than the peer, in seconds per call, where rates are calls per second. */
  readonly atMostLonger?: number
}

/** The rows that `pnpm bench <name>` measures together. */
export interface Area {
  readonly rows: readonly Row[]
  /** How often each contender is measured. Default: 7. */
  readonly rounds?: number
  /** Unit of the rates, such as `requests per CPU second`. */
  readonly unit: string
  /** The table shows how long one takes, in seconds, in place of rates. */
  readonly isTime?: boolean
}

/** An area cannot be measured here and is left out; the message says why. */
export class LeftOutError extends Error {
  override readonly name = 'LeftOutError'
}

/** Prepares an area; what it opens is closed with the stack. @throws {LeftOutError} */
export type OpenArea = (opened: AsyncDisposableStack) => Promise<Area>
