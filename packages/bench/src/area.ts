/** One thing that is measured: ours or a peer. */
export interface Contender {
  readonly name: string
  /** Measures for a moment and returns a rate: higher is better. Called once more at first, to warm up. */
  measure(): Promise<number>
}

/** A budget: what ours reaches at least, as a part of the peer's rate in the same round. */
export interface Row {
  readonly what: string
  readonly ours: Contender
  readonly peer: Contender
  readonly atLeast: number
}

/** What is measured together, in `pnpm bench <name>`. It closes what it opens. */
export interface Area extends AsyncDisposable {
  readonly rows: readonly Row[]
  /** What the rates are, such as `requests per CPU second`. */
  readonly unit: string
}

/** Opens an area. */
export type OpenArea = () => Promise<Area>
