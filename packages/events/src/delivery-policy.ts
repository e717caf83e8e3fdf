/** A trigger's or broker's `spec.delivery` as it is written in a manifest (durations in ISO 8601). */
export interface DeliverySpec {
  readonly retry?: number
  readonly backoffPolicy?: 'exponential' | 'linear'
  readonly backoffDelay?: string
  readonly timeout?: string
  readonly retryAfterMax?: string
  readonly format?: 'binary' | 'json'
}

/** How an event is delivered: `parseDeliverySpec` makes one from a manifest. */
export interface DeliveryPolicy {
  /** Attempts after the first one. */
  readonly retry: number
  /** `exponential`: delay × 2^n, `linear`: delay × n. */
  readonly backoffPolicy: 'exponential' | 'linear'
  readonly backoffDelayMs: number
  /** Limit of one attempt. */
  readonly timeoutMs: number
  /** Upper bound for the wait a subscriber asks for with `Retry-After`; 0 ignores the header. */
  readonly retryAfterMaxMs: number
  /** Content mode of the request. */
  readonly format: 'binary' | 'json'
}
