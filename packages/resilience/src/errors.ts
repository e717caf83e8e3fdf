/** Base class of all errors of this package. */
export abstract class ResilienceError extends Error {
  override readonly name: string = this.constructor.name
  abstract readonly code:
    | 'FT_TIMEOUT'
    | 'FT_CIRCUIT_OPEN'
    | 'FT_BULKHEAD_FULL'
    | 'FT_RATE_LIMITED'
    | 'FT_OPTION_INVALID'
}

/** A call took longer than its timeout; its later result is dropped (MicroProfile `TimeoutException`). */
export class TimeoutError extends ResilienceError {
  readonly code = 'FT_TIMEOUT'
  readonly timeoutMs: number

  constructor(guard: string, timeoutMs: number) {
    super(`${guard}: timed out after ${timeoutMs} ms`)
    this.timeoutMs = timeoutMs
  }
}

/** A call was refused because the circuit is open, or half-open with all trial calls taken (`CircuitBreakerOpenException`). */
export class CircuitOpenError extends ResilienceError {
  readonly code = 'FT_CIRCUIT_OPEN'
  readonly isTransient = true
  /** How long until trial calls are admitted, in milliseconds; 0 while half-open. */
  readonly retryAfterMs: number

  constructor(breaker: string, state: 'open' | 'half-open', retryAfterMs: number) {
    super(`${breaker}: circuit breaker is ${state}`)
    this.retryAfterMs = retryAfterMs
  }
}

/** A call was refused because all slots and all places in the waiting queue are taken (`BulkheadException`). */
export class BulkheadError extends ResilienceError {
  readonly code = 'FT_BULKHEAD_FULL'

  constructor(guard: string, value: number, waitingTaskQueue: number) {
    super(`${guard}: bulkhead is full (${value} running, ${waitingTaskQueue} waiting)`)
  }
}

/** A call was refused because the rate limit is used up (SmallRye `RateLimitException`). */
export class RateLimitError extends ResilienceError {
  readonly code = 'FT_RATE_LIMITED'
  /** When the next call can be admitted, in milliseconds from now. */
  readonly retryAfterMs: number

  constructor(guard: string, retryAfterMs: number) {
    super(`${guard}: rate limit exceeded`)
    this.retryAfterMs = retryAfterMs
  }
}

/** An option breaks its rule; thrown when the guard or breaker is created (`FaultToleranceDefinitionException`). */
export class InvalidOptionError extends ResilienceError {
  readonly code = 'FT_OPTION_INVALID'
  readonly option: string
  readonly rule: string
  readonly value: unknown

  constructor(owner: string, option: string, rule: string, value: unknown) {
    super(`${owner}: ${option} must be ${rule}, got ${String(value)}`)
    this.option = option
    this.rule = rule
    this.value = value
  }
}
