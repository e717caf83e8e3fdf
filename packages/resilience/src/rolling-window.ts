export type RollingWindow = ReturnType<typeof createRollingWindow>

/** The smallest number of failures whose share of `size` reaches `ratio`: ceil(ratio × size) without rounding errors. */
export function failureThreshold(ratio: number, size: number): number {
  const threshold = Math.ceil(ratio * size)
  return threshold > 0 && (threshold - 1) / size >= ratio ? threshold - 1 : threshold
}

/** The results of the last `size` calls. */
export function createRollingWindow(size: number, threshold: number) {
  const results = new Uint8Array(size)
  let recorded = 0
  let failures = 0
  return {
    /** Adds a result; returns whether the failures have reached the threshold, as in MicroProfile only once the window is full. */
    record(failed: boolean): boolean {
      const slot = recorded % size
      const result = failed ? 1 : 0
      // Unused slots hold 0.
      failures += result - (results[slot] ?? 0)
      results[slot] = result
      recorded += 1
      return recorded >= size && failures >= threshold
    },
  }
}
