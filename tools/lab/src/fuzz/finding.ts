/** A defect: an input and its effect. */
export interface Finding {
  /**
   * `crash`: a process ended, a parser threw an error that is not its own, or a reader was misled. `wrong`: an oracle expected another
   * result. `5xx`: an answer that blames the service. `block`: an event loop that was blocked for too long, or that made too many steps.
   */
  readonly kind: 'crash' | 'wrong' | '5xx' | 'block'
  /** Number of the input; surface, seed and number make the same input again. */
  readonly input: number
  readonly message: string
  readonly text: string
}

/** Which inputs are tried on a surface. */
export interface Run {
  readonly surface: string
  readonly seed: number
  readonly from: number
  readonly until: number
  /** How long inputs are tried, besides starting and ending. Default: until all are. */
  readonly seconds?: number
  readonly onFinding: (finding: Finding) => void
}

/** How much was tried; what was wrong are the findings. */
export interface Tally {
  readonly inputs: number
  /** Longest time that an event loop under test was blocked, in milliseconds. 0 where steps are counted. */
  readonly longestBlockMs: number
  /** Most steps of one batch, where steps are counted instead of time. */
  readonly mostSteps?: number
}

/** An event loop that is blocked for longer, in milliseconds, is a finding. */
export const BLOCK_LIMIT_MS = 50

/** The first line of a thrown error, and where it was thrown. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${String(error)}`
  const place = /^\s+at .*$/m.exec(error.stack ?? '')?.[0].trim() ?? ''
  return `${error.name}: ${error.message.slice(0, 200)} ${place.replaceAll(/file:\S*\/(?=(?:apps|packages|tools|node_modules)\/)/g, '')}`.trim()
}
