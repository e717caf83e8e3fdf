/** A lag grows when it was smaller this long ago. */
const GROWS_MS = 10_000
/** Readings that are farther apart say nothing about the time between them. */
const FORGET_MS = 10_000
const MAX_KNOWN = 5000

interface Run {
  /** The lag when it last did not grow, and when that was. */
  readonly low: number
  readonly lowAt: number
  readonly last: number
  readonly lastAt: number
}

/** Knows which lags grow: a burst that is read within seconds is not one of them, nor is an old lag that stays as it is. */
export class LagTrend {
  readonly #runs = new Map<string, Run>()
  readonly #now: () => number

  /** @param now milliseconds, for tests */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** True when the lag of `key` was smaller 10 s ago or earlier, and has not fallen since. */
  isGrowing(key: string, lag: number): boolean {
    const now = this.#now()
    const run = this.#runs.get(key)
    const goesOn = run !== undefined && now - run.lastAt <= FORGET_MS && lag >= run.last && lag > run.low
    const { low, lowAt } = goesOn ? run : { low: lag, lowAt: now }
    this.#runs.delete(key)
    this.#runs.set(key, { low, lowAt, last: lag, lastAt: now })
    const [oldest] = this.#runs.keys()
    if (this.#runs.size > MAX_KNOWN && oldest !== undefined) this.#runs.delete(oldest)
    return now - lowAt >= GROWS_MS
  }
}
