import { BLOCK_LIMIT_MS } from '../finding.ts'

/** How the cost of inputs is judged. */
export interface Measure {
  readonly unit: 'ms' | 'steps'
  /** The highest cost that inputs of so many bytes may have. */
  limitOf(bytes: number): number
  /** A cost above the limit, in words. */
  describe(cost: number): string
}

/** Steps of the work that does not depend on the input: timers, connections, the probe. */
const OWN_STEPS = 500_000
/** Twice those of the costliest frame: a byte or two may be an empty header. */
const STEPS_PER_BYTE = 12

/** The steps that V8 counts, which must be in proportion to the bytes that were sent. */
export const STEPS: Measure = {
  unit: 'steps',
  limitOf: (bytes) => OWN_STEPS + STEPS_PER_BYTE * bytes,
  describe: (cost) => `its work took ${cost.toLocaleString('en')} steps`,
}

/** The time for which an event loop is blocked, however long the input. */
export const BLOCKED: Measure = {
  unit: 'ms',
  limitOf: () => BLOCK_LIMIT_MS,
  describe: (cost) => `an event loop stood still for ${cost.toFixed(0)} ms`,
}
