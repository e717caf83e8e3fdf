import type { Random } from '../kit/random.ts'

/** One input for one parser. */
export interface Probe {
  /** Has it read; only this is timed. Throws what the parser throws. */
  readonly run: () => unknown
  /** The input, to show. */
  readonly text: () => string
}

/** A hostile shape for one parser. */
export interface ShapeProbe {
  readonly name: string
  readonly make: () => Probe
}

/** The parsers of one surface. */
export interface ParserTarget {
  /** Tried first, in every run. */
  readonly shapes: readonly ShapeProbe[]
  readonly input: (random: Random) => Probe
  /** Whether an error is the package's own, which says that it refuses the input. */
  readonly isOwn: (error: unknown) => boolean
}

/** Opens a parser surface; resolves when its parsers are loaded. */
export type OpenParsers = () => Promise<ParserTarget>
