import type { CheckOutcome, CheckReport, HealthCheck } from './check.ts'
import { assertMilliseconds, InvalidHealthOptionError } from './errors.ts'
import { runCheck } from './run-check.ts'

/** Gives the state of one check, from a run or from the cache. Never rejects. */
export type CachedCheck = () => Promise<CheckReport>

/**
 * A check that runs once at a time and whose outcome is given again for `cacheMs`.
 *
 * @throws InvalidHealthOptionError for a check without a name or with an impossible limit
 */
export function createCachedCheck(check: HealthCheck, cacheMs: number): CachedCheck {
  if (typeof check.name !== 'string' || check.name === '') {
    throw new InvalidHealthOptionError(`a health check must have a name, got ${String(check.name)}`)
  }
  if (check.timeoutMs !== undefined) assertMilliseconds(`timeoutMs of "${check.name}"`, check.timeoutMs, 1)
  let running: Promise<CheckReport> | undefined
  let last: { report: CheckReport; at: number } | undefined

  const toReport = (outcome: CheckOutcome): CheckReport => {
    const report = { name: check.name, ...outcome }
    last = { report, at: performance.now() }
    running = undefined
    return report
  }
  return async () => {
    if (last !== undefined && performance.now() - last.at < cacheMs) return last.report
    running ??= runCheck(check).then(toReport)
    return running
  }
}
