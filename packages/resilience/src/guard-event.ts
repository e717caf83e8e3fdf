import type { CircuitState } from './circuit-breaker.ts'

/** An event of a guard; all MicroProfile Fault Tolerance counters can be derived from these. */
export type GuardEvent =
  /** A call through the guard ended; `fallback` says whether its value is the fallback. */
  | {
      readonly type: 'invocation'
      readonly result: 'value-returned' | 'exception-thrown'
      readonly fallback: 'applied' | 'not-applied' | 'not-defined'
      readonly durationMs: number
    }
  /** Attempt number `attempt` (the first is 0) follows after `delayMs`. */
  | { readonly type: 'retry'; readonly attempt: number; readonly delayMs: number; readonly error: unknown }
  | {
      readonly type: 'retry-finished'
      readonly retried: boolean
      readonly result:
        | 'value-returned'
        | 'exception-not-retryable'
        | 'max-retries-reached'
        | 'max-duration-reached'
        | 'aborted'
      readonly error?: unknown
    }
  /** One attempt through the timeout ended. */
  | { readonly type: 'timeout'; readonly timedOut: boolean; readonly durationMs: number }
  | { readonly type: 'circuit-breaker-call'; readonly result: 'success' | 'failure' | 'circuit-breaker-open' }
  | { readonly type: 'circuit-breaker-state'; readonly from: CircuitState; readonly to: CircuitState }
  | { readonly type: 'bulkhead-call'; readonly result: 'accepted' | 'rejected' }
  /** An accepted call begins to run. */
  | { readonly type: 'bulkhead-started'; readonly waitedMs: number }
  /** A running call ended. */
  | { readonly type: 'bulkhead-finished'; readonly durationMs: number }
  | { readonly type: 'rate-limit-call'; readonly result: 'permitted' | 'rejected' }
  /** The fallback is about to be used. */
  | { readonly type: 'fallback'; readonly error: unknown }
