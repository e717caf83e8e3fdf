import { setTimeout as delay } from 'node:timers/promises'

/** Growing waits between attempts. */
export interface BackOff {
  /** Waits for the next delay; ends early, without throwing, when `signal` aborts. */
  wait(signal: AbortSignal): Promise<void>
  /** Makes the next delay the shortest again. */
  reset(): void
}

/** How the waits grow. */
export interface BackOffOptions {
  /** First delay in milliseconds. Default 200. */
  readonly minMs?: number
  /** Longest delay in milliseconds. Default 3000. */
  readonly maxMs?: number
  /** A number from 0 to 1 that picks a point in the upper half of each delay. Default `Math.random`. */
  readonly random?: () => number
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Doubles the delay from `minMs` up to `maxMs`, each with jitter, so that many clients do not come back at the same moment. */
export function createBackOff(options: BackOffOptions = {}): BackOff {
  const { minMs = 200, maxMs = 3000, random = Math.random, sleep = pause } = options
  let attempt = 0
  return {
    async wait(signal) {
      const limit = Math.min(maxMs, minMs * 2 ** attempt)
      attempt = Math.min(attempt + 1, 30)
      await sleep(limit / 2 + (limit / 2) * random(), signal)
    },
    reset() {
      attempt = 0
    },
  }
}

/** Waits `ms` milliseconds or until `signal` aborts, whichever is first; never throws. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  // The only rejection is the abort, which ends the wait like the time does.
  await delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined)
}
