import { pause } from './sleep.ts'

export interface BackOffOptions {
  /** First wait in milliseconds. */
  readonly firstMs: number
  /** Longest wait in milliseconds. */
  readonly longestMs: number
  /** How much of each wait is random, from 0 to 1, so that many clients do not come back at the same moment. Default 0. */
  readonly jitter?: number
  /** Default `Math.random`. */
  readonly random?: () => number
}

/** Doubled this often, even 1 ms is longer than a Node timer can be. */
const MOST_DOUBLINGS = 31

/** The wait before retry `n`, counted from 0: the first wait, doubled n times, up to the longest. */
export function backOffMs(n: number, { firstMs, longestMs }: Pick<BackOffOptions, 'firstMs' | 'longestMs'>): number {
  return Math.min(firstMs * 2 ** Math.min(n, MOST_DOUBLINGS), longestMs)
}

/** Growing waits between attempts, which it counts itself; see {@link backOffMs}. */
export function createBackOff(options: BackOffOptions) {
  const { jitter = 0, random = Math.random } = options
  let attempt = 0
  const next = () => {
    const longest = backOffMs(attempt, options)
    attempt += 1
    return longest - longest * jitter * random()
  }
  return {
    /** The next wait in milliseconds, for callers that do the waiting themselves. */
    next,
    /** Waits for the next wait; ends early, without throwing, when `signal` aborts. */
    wait: (signal: AbortSignal) => pause(next(), signal),
    /** Starts again with the first wait. */
    reset() {
      attempt = 0
    },
  }
}
