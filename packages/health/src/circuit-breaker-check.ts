import type { HealthCheck } from '@taproom/core/health'

/** The part of a circuit breaker that the check needs; those of \@taproom/resilience fit. */
export interface ObservedCircuitBreaker {
  /** `closed`, `open` or `half-open`. */
  readonly state: string
  /** How much longer calls are refused, in milliseconds. */
  readonly retryAfterMs: number
}

/**
 * Reports the state of a circuit, for wellness. Never DOWN: an open circuit is the protection at work, not a fault of the service. Without a
 * circuit breaker the state is `disabled`.
 */
export function circuitBreakerCheck(name: string, breaker: ObservedCircuitBreaker | undefined): HealthCheck {
  return {
    name,
    check() {
      if (breaker === undefined) return { status: 'UP', data: { state: 'disabled' } }
      return { status: 'UP', data: { state: breaker.state, retryAfterMs: Math.ceil(breaker.retryAfterMs) } }
    },
  }
}
