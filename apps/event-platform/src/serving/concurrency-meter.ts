/** How many pieces the window is kept in. */
const BUCKETS = 60

/** Averages the number of requests in flight over the last part of a window, weighted by time. Times are milliseconds of one clock. */
export class ConcurrencyMeter {
  readonly #bucketMs: number
  /** Requests × milliseconds for each piece of time, by its number. */
  readonly #areas = new Map<number, number>()
  #inFlight = 0
  #measuredUntil: number
  #activeSince: number

  constructor(options: { readonly windowMs: number; readonly now: number }) {
    // Whole milliseconds, so that the edges of pieces are exact.
    this.#bucketMs = Math.max(1, Math.ceil(options.windowMs / BUCKETS))
    this.#measuredUntil = options.now
    this.#activeSince = options.now
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** A request came (+1) or went (-1). */
  change(delta: 1 | -1, now: number): void {
    this.#advance(now)
    this.#inFlight += delta
  }

  /** Averages begin now: what was before belongs to earlier instances. */
  reset(now: number): void {
    this.#areas.clear()
    this.#measuredUntil = now
    this.#activeSince = now
  }

  /** The average over the last `windowMs`, or since the last reset when that is more recent; whole pieces of time only. */
  average(windowMs: number, now: number): number {
    this.#advance(now)
    const oldest = Math.floor((now - windowMs) / this.#bucketMs)
    const from = Math.max(oldest * this.#bucketMs, this.#activeSince)
    let area = 0
    for (const [bucket, value] of this.#areas) if (bucket >= oldest) area += value
    return area / Math.max(now - from, this.#bucketMs)
  }

  #advance(now: number): void {
    // Without requests in flight there is nothing to add.
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
