import type { CheckOutcome, HealthCheck } from '@taproom/core/health'
import type { CheckReport } from './check.ts'
import { assertMilliseconds, InvalidHealthOptionError } from './errors.ts'
import { runCheck } from './run-check.ts'

export type CachedCheck = ReturnType<typeof createCachedCheck>

/** Before its first UP a check without a `cacheMs` is run again after this time, in ms: callers learn soon that a service is ready. */
const STARTING_CACHE_MS = 50

/**
 * Reports one check, which it runs at most once at a time; keeps the outcome for the check's own `cacheMs`. A check without one has
 * `defaultCacheMs`, but 50 ms at most until the check has been UP once. Never rejects.
 *
 * @throws {InvalidHealthOptionError} when the check has no name or an invalid limit
 */
export function createCachedCheck(check: HealthCheck, defaultCacheMs: number) {
  if (typeof check.name !== 'string' || check.name === '') {
    throw new InvalidHealthOptionError(`a health check must have a name, got ${String(check.name)}`)
  }
  if (check.timeoutMs !== undefined) assertMilliseconds(`timeoutMs of "${check.name}"`, check.timeoutMs, 1)
  if (check.cacheMs !== undefined) assertMilliseconds(`cacheMs of "${check.name}"`, check.cacheMs, 0)
  let running: Promise<CheckReport> | undefined
  let wasUp = false
  let last: { report: CheckReport; at: number } | undefined

  const toReport = (outcome: CheckOutcome): CheckReport => {
    const report = { name: check.name, ...outcome }
    last = { report, at: performance.now() }
    running = undefined
    wasUp ||= outcome.status === 'UP'
    return report
  }
  return async (): Promise<CheckReport> => {
    const keptMs = check.cacheMs ?? (wasUp ? defaultCacheMs : Math.min(defaultCacheMs, STARTING_CACHE_MS))
    if (last !== undefined && performance.now() - last.at < keptMs) return last.report
    running ??= runCheck(check).then(toReport)
    return running
  }
}
