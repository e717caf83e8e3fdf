import { backOffMs } from '@taproom/time'

/** An instance that lived this long was no failure, whatever ended it. Milliseconds. */
export const HEALTHY_AFTER_MS = 10_000
const RESTART_WAITS = { firstMs: 500, longestMs: 60_000 }

/** The place of one instance: whoever takes it after a crash continues its count of failures in a row. */
export interface Place {
  readonly failures: number
  /** When it may be taken, in milliseconds of the pool's clock. */
  readonly freeAt: number
}

/**
 * How long to wait before another start. Failures in a row are counted for each place on its own, so that instances killed together are not one
 * that keeps crashing: nothing to wait after a place's first failure, then 0.5 s doubling up to a minute. A success of any instance shows that the
 * app can run, and forgets what is counted of places that nobody has taken yet.
 */
export class CrashBackoff {
  #vacant: Place[] = []
  readonly #taken = new Set<Place>()

  /** The most failures in a row of any place. */
  get failures(): number {
    return Math.max(0, ...[...this.#vacant, ...this.#taken].map(({ failures }) => failures))
  }

  /** Milliseconds until a start is allowed: 0 without a place that failed. */
  remaining(now: number): number {
    const [next] = this.#vacant
    return next === undefined ? 0 : Math.max(0, next.freeAt - now)
  }

  /** Takes the place of an instance that failed, the one that is free first, else a new one. */
  take(): Place {
    const place = this.#vacant.shift() ?? { failures: 0, freeAt: 0 }
    this.#taken.add(place)
    return place
  }

  /** The instance in this place has shown that it works; gives its place with nothing counted. */
  succeeded(place: Place): Place {
    this.#vacant = []
    this.#taken.delete(place)
    const clean = { failures: 0, freeAt: 0 }
    this.#taken.add(clean)
    return clean
  }

  /** The instance in this place was stopped. Whether it would have failed again is not known: its successor goes on counting. */
  left(place: Place): void {
    this.#taken.delete(place)
    if (place.failures > 0) this.#free(place)
  }

  /** The instance in this place ended by itself. */
  failed(place: Place, now: number): void {
    this.#taken.delete(place)
    const failures = place.failures + 1
    const delay = failures === 1 ? 0 : backOffMs(failures - 2, RESTART_WAITS)
    this.#free({ failures, freeAt: now + delay })
  }

  #free(place: Place): void {
    this.#vacant.push(place)
    this.#vacant.sort((one, other) => one.freeAt - other.freeAt)
  }
}
