/** One of `GET /api/verdicts`: why a part of the system is not well. */
export interface Verdict {
  /** `KIND/NAME` as of a node of the picture, such as `service/orders` or `trigger/default/aloha`; `manifest/FILE`, `channel/SERVICE/CHANNEL`. */
  readonly part: string
  /** Other parts that have this cause, such as `service/orders`: they have no verdict of their own for it. */
  readonly affects?: readonly string[]
  /** `warning`: the part works at the moment, or works as it may be intended to. */
  readonly severity: 'error' | 'warning'
  /** The cause, in one sentence. */
  readonly problem: string
  /** The values by which it is known. */
  readonly evidence: Readonly<Record<string, string | number | boolean>>
  /** The next step for the developer. */
  readonly remedy: string
  /** The place in the sources that is to be corrected, for an editor: `PATH:LINE`, absolute. */
  readonly source?: string
}

/** `GET /api/verdicts`: none means that all is well. */
export interface Verdicts {
  /** With `name`: the parts that have it, well or not, as `KIND/NAME`. */
  readonly parts?: readonly string[]
  readonly items: readonly Verdict[]
  /** Parts that could not be asked, with the reason: nothing is known of them. */
  readonly unknown: Readonly<Record<string, string>>
}
