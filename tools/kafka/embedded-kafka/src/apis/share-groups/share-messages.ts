import { array, int8, int64 } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'

/** Offsets of a partition that a member has done with: one type for all of them, or one for each. */
export const acknowledgementBatches = array(
  struct({ firstOffset: int64, lastOffset: int64, acknowledgeTypes: array(int8) }),
)
