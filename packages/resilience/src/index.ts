export type { BulkheadOccupancy, BulkheadOptions } from './bulkhead.ts'
export {
  CircuitBreaker,
  type CircuitBreakerOptions,
  type CircuitState,
  type CircuitStateChange,
} from './circuit-breaker.ts'
export type { ErrorClass, ErrorMatcher } from './error-matcher.ts'
export {
  BulkheadError,
  CircuitOpenError,
  InvalidOptionError,
  RateLimitError,
  ResilienceError,
  TimeoutError,
} from './errors.ts'
export type { FallbackOptions } from './fallback.ts'
export { createGuard, type Guard, type GuardOptions, type PolicyName } from './guard.ts'
export type { GuardEvent } from './guard-event.ts'
export type { Call, CallContext } from './layer.ts'
export type { MetricSink } from './metric-sink.ts'
export { reportMetrics } from './metrics.ts'
export type { RateLimitOptions } from './rate-limit.ts'
export type { RetryOptions } from './retry.ts'
export type { TimeoutOptions } from './timeout.ts'
