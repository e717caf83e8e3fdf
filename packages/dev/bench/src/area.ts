/** One thing that is measured: ours or a peer. */
export interface Contender {
  readonly name: string
  /** Measures for a moment and returns a rate: higher is better. Called once more at first, to warm up. */
  measure(): Promise<number>
}

/** Ours beside a peer in the same rounds. A row without a budget is shown all the same. */
export interface Row {
  readonly what: string
  readonly ours: Contender
  readonly peer: Contender
  /** A budget: what ours reaches at least, as a part of the peer's rate. */
  readonly atLeast?: number
  /** A budget: how much longer ours takes at most, in seconds for each, where rates are for each second. */
  readonly atMostLonger?: number
}

/** What is measured together, in `pnpm bench <name>`. It closes what it opens. */
export interface Area extends AsyncDisposable {
  readonly rows: readonly Row[]
  /** How often each contender is measured. Default: 3. */
  readonly rounds?: number
  /** What the rates are, such as `requests per CPU second`. */
  readonly unit: string
}

/** Opens an area. */
export type OpenArea = () => Promise<Area>
