import { PARTS } from '../../src/new/parts.ts'

/** All parts that a service can have at once: of two for one topic the one that is stored. */
export const ALL_PARTS: readonly string[] = Object.keys(PARTS).filter(
  (part) => part !== 'outgoing' && part !== 'incoming',
)
