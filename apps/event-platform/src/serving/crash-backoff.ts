/** An instance that lived this long was no failure, whatever ended it. */
const HEALTHY_AFTER_MS = 10_000
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 60_000

/** How long to wait before another start: nothing after the first failure in a row, then 0.5 s doubling up to a minute. */
export class CrashBackoff {
  #failures = 0
  #until = 0

  /** Failures in a row. */
  get failures(): number {
    return this.#failures
  }

  /** An instance ended by itself. */
  ended(options: { readonly livedMs: number; readonly now: number }): void {
    this.#failures = options.livedMs >= HEALTHY_AFTER_MS ? 1 : this.#failures + 1
    const delay = this.#failures === 1 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (this.#failures - 2), MAX_DELAY_MS)
    this.#until = options.now + delay
  }

  /** Milliseconds until a start is allowed. */
  remaining(now: number): number {
    return Math.max(0, this.#until - now)
  }
}
