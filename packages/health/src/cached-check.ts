import type { CheckOutcome, HealthCheck } from '@taproom/core/health'
import type { CheckReport } from './check.ts'
import { assertMilliseconds, InvalidHealthOptionError } from './errors.ts'
import { runCheck } from './run-check.ts'

export type CachedCheck = ReturnType<typeof createCachedCheck>

/** Before its first UP a check is run again after this time, in ms: callers learn soon that a service has become ready. */
const STARTING_CACHE_MS = 50

/**
 * Reports one check, which it runs at most once at a time; keeps the outcome for the check's own `cacheMs`, or else `defaultCacheMs`, but for
 * 50 ms at most until the check has been UP once. Never rejects.
 *
 * @throws {InvalidHealthOptionError} when the check has no name or an invalid limit
 */
export function createCachedCheck(check: HealthCheck, defaultCacheMs: number) {
  if (typeof check.name !== 'string' || check.name === '') {
    throw new InvalidHealthOptionError(`a health check must have a name, got ${String(check.name)}`)
  }
  if (check.timeoutMs !== undefined) assertMilliseconds(`timeoutMs of "${check.name}"`, check.timeoutMs, 1)
  const { cacheMs = defaultCacheMs } = check
  assertMilliseconds(`cacheMs of "${check.name}"`, cacheMs, 0)
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
    const keptMs = wasUp ? cacheMs : Math.min(cacheMs, STARTING_CACHE_MS)
    if (last !== undefined && performance.now() - last.at < keptMs) return last.report
    running ??= runCheck(check).then(toReport)
    return running
  }
}
