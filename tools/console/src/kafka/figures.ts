import type { LagTrend } from './lag-trend.ts'
import type { RecordCounter } from './record-counter.ts'

/** Remembers what true numbers need, and limits the time to read for them. */
export interface Figures {
  readonly counter: RecordCounter
  readonly trend: LagTrend
  /** A time of `performance.now()`. */
  readonly until: number
}
