/** Number of buckets in a window. */
const BUCKETS = 60

/** Averages the requests in flight over the last part of a window, weighted by time. All times are milliseconds of one clock. */
export class ConcurrencyMeter {
  readonly #bucketMs: number
  /** Requests × milliseconds, by bucket number. */
  readonly #areas = new Map<number, number>()
  #inFlight = 0
  #measuredUntil: number
  #activeSince: number

  constructor(options: { readonly windowMs: number; readonly now: number }) {
    // Whole milliseconds keep bucket edges exact.
    this.#bucketMs = Math.max(1, Math.ceil(options.windowMs / BUCKETS))
    this.#measuredUntil = options.now
    this.#activeSince = options.now
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** A request began (+1) or ended (-1). */
  change(delta: 1 | -1, now: number): void {
    this.#advance(now)
    this.#inFlight += delta
  }

  /** Averages restart now: earlier requests went to earlier instances. */
  reset(now: number): void {
    this.#areas.clear()
    this.#measuredUntil = now
    this.#activeSince = now
  }

  /** Over the last `windowMs`, or since the last reset if that is later; whole buckets only. */
  average(windowMs: number, now: number): number {
    this.#advance(now)
    const oldest = Math.floor((now - windowMs) / this.#bucketMs)
    const from = Math.max(oldest * this.#bucketMs, this.#activeSince)
    let area = 0
    for (const [bucket, value] of this.#areas) if (bucket >= oldest) area += value
    return area / Math.max(now - from, this.#bucketMs)
  }

  #advance(now: number): void {
    let time = this.#inFlight > 0 ? this.#measuredUntil : now
    while (time < now) {
      const bucket = Math.floor(time / this.#bucketMs)
      const end = Math.min(now, (bucket + 1) * this.#bucketMs)
      this.#areas.set(bucket, (this.#areas.get(bucket) ?? 0) + this.#inFlight * (end - time))
      time = end
    }
    this.#measuredUntil = Math.max(this.#measuredUntil, now)
    const oldest = Math.floor(now / this.#bucketMs) - BUCKETS
    for (const bucket of this.#areas.keys()) if (bucket < oldest) this.#areas.delete(bucket)
  }
}
