import { createBackOff } from '@taproom/core/time'

const HEALTHY_MS = 10_000

/** Crashes of one process, and how long its next start is delayed after each. */
export class Crashes {
  readonly #backOff = createBackOff({ firstMs: 100, longestMs: 5000 })
  #count = 0
  #at: number | undefined

  /** For the status of the process. */
  get shown(): { readonly crashes: number; readonly crashedAt: number | undefined } {
    return { crashes: this.#count, crashedAt: this.#at }
  }

  /** Counts a crash and returns the delay of the next start in milliseconds; the first delay again after `healthyMs` without a crash. */
  add(upMs: number, healthyMs: number = HEALTHY_MS): number {
    if (upMs >= healthyMs) this.#backOff.reset()
    this.#count += 1
    this.#at = Date.now()
    return this.#backOff.next()
  }
}
