import type { Random } from '../../harness/random.ts'
import type { Shape } from '../kit/shapes.ts'

/** The result of a parser: a value, or the error that it threw. */
export interface Outcome {
  readonly value?: unknown
  readonly error?: unknown
}

export interface Probe {
  /** Calls the parser; only this is timed. Throws the parser's errors. */
  readonly run: () => unknown
  readonly text: () => string
  /** The oracle of this input: what was expected and what came, when they differ. Not timed. */
  readonly judge?: (outcome: Outcome) => Promise<string | undefined>
}

export interface ParserTarget {
  readonly shapes: readonly Shape<Probe>[]
  readonly input: (random: Random) => Probe
  /** True for an error of the package's own: a refusal of the input. */
  readonly isOwn: (error: unknown) => boolean
}

/** Opens a parser surface; resolves when its parsers are imported. */
export type OpenParsers = () => Promise<ParserTarget>
