import type { ScramName } from '../../security/sasl/scram.ts'

/** The protocol's numbers of the mechanisms. */
export const SCRAM_NUMBERS: readonly (readonly [number, ScramName])[] = [
  [1, 'SCRAM-SHA-256'],
  [2, 'SCRAM-SHA-512'],
]
