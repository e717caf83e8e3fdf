export type { BulkheadOptions } from './bulkhead.ts'
export type { Call, CallContext } from './call.ts'
export { CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.ts'
export {
  BulkheadError,
  CircuitOpenError,
  InvalidOptionError,
  RateLimitError,
  ResilienceError,
  TimeoutError,
} from './errors.ts'
export { createGuard, type Guard, type GuardOptions } from './guard.ts'
export type { GuardEvent } from './guard-event.ts'
export { reportMetrics } from './metrics.ts'
export { type Policies, type PolicyDefaults, readPolicies } from './policy-properties.ts'
export type { PropertyReader } from './property-reader.ts'
export type { RateLimitOptions } from './rate-limit.ts'
export type { RetryOptions } from './retry.ts'
