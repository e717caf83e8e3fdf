/** Something that must not be: what was sent, and what came of it. */
export interface Finding {
  /** `crash`: a process ended, a parser threw what is not its own, or somebody was misled. `5xx`: an answer that blames the service. `block`: an event loop that stood still for too long. */
  readonly kind: 'crash' | '5xx' | 'block'
  /** Number of the input; with the surface and the seed it makes the same input again. */
  readonly input: number
  readonly message: string
  /** The whole input as text. */
  readonly text: string
}

/** What a surface was put through. */
export interface Tally {
  readonly inputs: number
  readonly crashes: number
  /** Answers of status 500 and above that nobody documents. */
  readonly serverErrors: number
  /** Longest time in milliseconds for which an event loop under test stood still. */
  readonly longestBlockMs: number
}

/** An event loop that stands still for longer than this, in milliseconds, is a finding. */
export const BLOCK_LIMIT_MS = 50

/** The first line of what was thrown, with the place where. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${String(error)}`
  const place = /^\s+at .*$/m.exec(error.stack ?? '')?.[0].trim() ?? ''
  return `${error.name}: ${error.message.slice(0, 200)} ${place.replaceAll(/file:\S*\/(?=(?:apps|packages|node_modules)\/)/g, '')}`.trim()
}
