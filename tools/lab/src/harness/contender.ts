import { startStopwatch } from './stopwatch.ts'

/** One side of a comparison: ours or a peer. */
export interface Contender {
  readonly name: string
  /** Measures for a moment and returns a rate: higher is better. The first call is for warming up and does not count. */
  measure(): Promise<number>
}

export function contender(name: string, measure: Contender['measure']): Contender {
  return { name, measure }
}

/** Does some work, which gives how much it was; the rate is for a second of these processes' CPU time, or of the clock without it. */
export function perCpuSecond(name: string, pids: readonly number[], work: () => Promise<number>): Contender {
  return contender(name, async () => {
    const stopwatch = startStopwatch(...pids)
    const done = await work()
    return done / stopwatch()
  })
}
