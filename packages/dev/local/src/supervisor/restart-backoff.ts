/** Decides how long a crashed process waits before it is started again. */
export interface RestartBackoff {
  /** The wait after a crash of a process that had been up for `upMs`, in milliseconds. */
  next(upMs: number): number
}

/** Options of {@link createRestartBackoff}. */
export interface RestartBackoffOptions {
  /** First wait. Default 100 ms. */
  readonly initialMs?: number
  /** Longest wait. Default 5000 ms. */
  readonly maxMs?: number
  /** A process that was up this long starts over with the first wait. Default 10 000 ms. */
  readonly healthyMs?: number
}

/** Doubles the wait with each crash in a row, up to a maximum. */
export function createRestartBackoff(options: RestartBackoffOptions = {}): RestartBackoff {
  const { initialMs = 100, maxMs = 5000, healthyMs = 10_000 } = options
  let wait = initialMs
  return {
    next(upMs) {
      if (upMs >= healthyMs) wait = initialMs
      const current = wait
      wait = Math.min(wait * 2, maxMs)
      return current
    },
  }
}
