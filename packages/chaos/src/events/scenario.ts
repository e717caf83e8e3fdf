/** How a scenario is run. */
export interface ScenarioOptions {
  /** How many messages must be accepted. */
  readonly count: number
  /** Messages offered per second at most. */
  readonly rate: number
  /** The same seed kills the same victims in the same order. */
  readonly seed: number
  /** Mean milliseconds between two kills. */
  readonly killEveryMs: number
  /** Told what happens. */
  readonly log: (line: string) => void
}

/** What a scenario came to. */
export interface Report {
  /** Numbers to print, by name. */
  readonly figures: Readonly<Record<string, number | string>>
  /** Broken promises; none is a success. */
  readonly problems: readonly string[]
}
