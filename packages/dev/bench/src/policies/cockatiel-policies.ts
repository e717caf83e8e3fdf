import {
  ConstantBackoff,
  CountBreaker,
  circuitBreaker,
  fallback,
  handleAll,
  type IPolicy,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel'
import type { POLICIES } from './film-policies.ts'

/** The same policies, as near as cockatiel has them, in the same order: Fallback(Retry(CircuitBreaker(Timeout(call)))). */
export function cockatielPolicies<T>(policies: typeof POLICIES, instead: T): IPolicy<never, T> {
  const { maxRetries, delayMs } = policies.retry
  const { requestVolumeThreshold: size, failureRatio: threshold } = policies.circuitBreaker
  return wrap(
    fallback(handleAll, instead),
    retry(handleAll, { maxAttempts: maxRetries, backoff: new ConstantBackoff(delayMs) }),
    circuitBreaker(handleAll, {
      halfOpenAfter: policies.circuitBreaker.delayMs,
      breaker: new CountBreaker({ size, threshold }),
    }),
    timeout(policies.timeout.timeoutMs, TimeoutStrategy.Aggressive),
  ) as unknown as IPolicy<never, T>
}
