import type { BreakerView } from '../api/breakers.ts'
import type { HealthView } from '../api/services.ts'
import { recent } from '../http/recent.ts'
import { breakerChecks } from './breaker-checks.ts'
import { type GuardSpans, type GuardView, isSameGuard } from './guard-spans.ts'

/** A guard with its circuit breaker, where a health check shows one. */
export type GuardedCalls = Omit<GuardView, 'changes'> & { readonly breaker?: BreakerView }

export interface Breakers {
  /** All guards and breakers. Without an answer of the health page, guards without breakers. */
  read(): Promise<readonly GuardedCalls[]>
}

export interface BreakersDeps {
  readonly guards: Pick<GuardSpans, 'read' | 'noticeHalfOpen'>
  health(): Promise<HealthView>
}

/** The health page asks every service: not more often than for verdicts. */
const AGE_MS = 1900

/** Joins the health checks of circuit breakers with the spans of guards: a check is called after its guard. */
export function createBreakers({ guards, health }: BreakersDeps): Breakers {
  const { read } = recent(AGE_MS, async () => {
    const checks = breakerChecks(await health())
    const at = Date.now()
    for (const check of checks) if (check.state === 'half-open') guards.noticeHalfOpen(check, at)
    return { checks, at }
  })
  return {
    async read() {
      const { checks, at } = await read().catch(() => ({ checks: [], at: 0 }))
      const seen = guards.read(Date.now())
      const joined = checks.map(({ service, name, state, retryAfterMs }): GuardedCalls => {
        const guard = seen.find((each) => isSameGuard(each, { service, name }))
        const { changes = [], fallbackRate = 0, to } = guard ?? {}
        const retry = state === 'open' && { retryAt: at + retryAfterMs }
        const breaker: BreakerView = { service, name, state, ...retry, fallbackRate, changes }
        return { service, name, fallbackRate, ...(to !== undefined && { to }), breaker }
      })
      const others = seen.filter((guard) => !checks.some((check) => isSameGuard(guard, check)))
      return [...joined, ...others.map(({ changes: _changes, ...guard }) => guard)]
    },
  }
}
