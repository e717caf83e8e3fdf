import type { CircuitState } from './circuit-breaker.ts'

/** What a guard tells its observers; every MicroProfile Fault Tolerance counter can be kept from these. */
export type GuardEvent =
  /** A call through the guard ended; `fallback` says whether its value came from there. */
  | {
      readonly type: 'invocation'
      readonly result: 'value-returned' | 'exception-thrown'
      readonly fallback: 'applied' | 'not-applied' | 'not-defined'
      readonly durationMs: number
    }
  /** Attempt number `attempt` (the first is 0) follows after `delayMs`, because of `error`. */
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
  /** An accepted call got its slot. */
  | { readonly type: 'bulkhead-started'; readonly waitedMs: number }
  /** A call gave its slot back. */
  | { readonly type: 'bulkhead-finished'; readonly durationMs: number }
  | { readonly type: 'rate-limit-call'; readonly result: 'permitted' | 'rejected' }
  /** The fallback is about to be used because of `error`. */
  | { readonly type: 'fallback'; readonly error: unknown }
