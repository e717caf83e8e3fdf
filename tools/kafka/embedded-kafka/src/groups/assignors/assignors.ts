import type { Assignor } from './assignor.ts'
import { assignRanges } from './range-assignor.ts'
import { assignUniformly } from './uniform-assignor.ts'

/** Under the names that clients ask for; the first is the default, as in Apache Kafka. */
export const ASSIGNORS: ReadonlyMap<string, Assignor> = new Map([
  ['uniform', assignUniformly],
  ['range', assignRanges],
])

export const DEFAULT_ASSIGNOR = 'uniform'
