const CONFIDENCE = 0.95

/** The fewest values that have such an interval: of five, all are on one side of the true median too often. */
export const FEWEST_VALUES = 6

/** A median, and where it may be by chance. */
export interface Estimate {
  readonly median: number
  /**
   * The narrowest interval between two of the sorted values, alike far from both ends, which has the true median in it with a
   * probability of 95 % at least, however the values are distributed. Fewer than six values give no such interval: then both are the
   * median.
   */
  readonly low: number
  readonly high: number
}

/** @throws {RangeError} when there are no values */
export function estimate(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = median(values)
  const outside = valuesOutside(sorted.length)
  return { median: middle, low: sorted[outside] ?? middle, high: sorted[sorted.length - 1 - outside] ?? middle }
}

/** @throws {RangeError} when there are no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  if (low === undefined || high === undefined) throw new RangeError('no median without values')
  return (low + high) / 2
}

/**
 * How many of `count` sorted values may be left out at each end. Each value is below the true median with a probability of a half, so the
 * number of those below it is binomial.
 */
function valuesOutside(count: number): number {
  let probability = 0.5 ** count
  let missed = 0
  for (let outside = 0; ; outside += 1) {
    missed += 2 * probability
    if (missed > 1 - CONFIDENCE) return outside - 1
    probability *= (count - outside) / (outside + 1)
  }
}
