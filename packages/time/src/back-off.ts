import { pause } from './sleep.ts'

/** How waits between attempts grow. */
export interface BackOffOptions {
  /** First wait in milliseconds. */
  readonly firstMs: number
  /** Longest wait in milliseconds. */
  readonly longestMs: number
  /** The part of each wait that is left to chance, from 0 to 1, so that many clients do not come back at the same moment. Default 0. */
  readonly jitter?: number
  /** A number from 0 to 1. Default `Math.random`. */
  readonly random?: () => number
}

/** Growing waits between attempts. */
export interface BackOff {
  /** The next wait in milliseconds, for who waits in a way of his own. */
  next(): number
  /** Waits that long; ends early, without throwing, when `signal` aborts. */
  wait(signal: AbortSignal): Promise<void>
  /** Makes the next wait the first again. */
  reset(): void
}

/** Any first wait of a millisecond is then longer than a timer of Node can hold. */
const MOST_DOUBLINGS = 31

/** The wait before retry `n`, counted from 0: the first wait, doubled n times, up to the longest. */
export function backOffMs(n: number, { firstMs, longestMs }: Pick<BackOffOptions, 'firstMs' | 'longestMs'>): number {
  return Math.min(firstMs * 2 ** Math.min(n, MOST_DOUBLINGS), longestMs)
}

/** Counts the attempts; see {@link backOffMs}. */
export function createBackOff(options: BackOffOptions): BackOff {
  const { jitter = 0, random = Math.random } = options
  let attempt = 0
  const next = () => {
    const longest = backOffMs(attempt, options)
    attempt += 1
    return longest - longest * jitter * random()
  }
  return {
    next,
    wait: (signal) => pause(next(), signal),
    reset() {
      attempt = 0
    },
  }
}
