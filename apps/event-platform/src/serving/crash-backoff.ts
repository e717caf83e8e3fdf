import { backOffMs } from '@taproom/core/time'

/** An instance that ran this long was no failure, however it ended. */
export const HEALTHY_AFTER_MS = 10_000
const RESTART_WAITS = { firstMs: 500, longestMs: 60_000 }

/** An instance's slot; its successor after a crash continues the count of failures. */
export interface Slot {
  readonly failures: number
  /** When the next instance may start, in milliseconds of the pool's clock. */
  readonly freeAt: number
}

/**
 * Delays starts after crashes. Counts failures in a row for each slot, so that several instances killed together are not a crash loop: no
 * wait after a slot's first failure, then 0.5 s doubling up to a minute. A success of any instance shows that the app can run, and resets
 * vacant slots.
 */
export class CrashBackoff {
  #vacant: Slot[] = []
  readonly #taken = new Set<Slot>()

  /** The highest count of any slot. */
  get failures(): number {
    return Math.max(0, ...[...this.#vacant, ...this.#taken].map(({ failures }) => failures))
  }

  /** Milliseconds until a start is allowed. */
  remaining(now: number): number {
    const [next] = this.#vacant
    return next === undefined ? 0 : Math.max(0, next.freeAt - now)
  }

  /** Takes the vacant slot that is free first, else a new one. */
  take(): Slot {
    const slot = this.#vacant.shift() ?? { failures: 0, freeAt: 0 }
    this.#taken.add(slot)
    return slot
  }

  /** Returns the slot with its count reset. */
  succeeded(slot: Slot): Slot {
    this.#vacant = []
    this.#taken.delete(slot)
    const clean = { failures: 0, freeAt: 0 }
    this.#taken.add(clean)
    return clean
  }

  /** It was stopped: as it might have failed again, its successor continues the count. */
  stopped(slot: Slot): void {
    this.#taken.delete(slot)
    if (slot.failures > 0) this.#free(slot)
  }

  /** It ended by itself. */
  failed(slot: Slot, now: number): void {
    this.#taken.delete(slot)
    const failures = slot.failures + 1
    const delay = failures === 1 ? 0 : backOffMs(failures - 2, RESTART_WAITS)
    this.#free({ failures, freeAt: now + delay })
  }

  #free(slot: Slot): void {
    this.#vacant.push(slot)
    this.#vacant.sort((one, other) => one.freeAt - other.freeAt)
  }
}
