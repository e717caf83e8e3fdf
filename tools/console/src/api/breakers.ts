export type BreakerState = 'closed' | 'open' | 'half-open'

/** One of `GET /api/breakers`: a circuit breaker of a service, by its health check and the spans of its calls. */
export interface BreakerView {
  readonly service: string
  /** Name of the check without `circuit breaker`: `Film service`. */
  readonly name: string
  readonly state: BreakerState
  /** Time at which an open breaker tries the next call. */
  readonly retryAt?: number
  /** Calls that the fallback answered, per second. */
  readonly fallbackRate: number
  /** The newest changes of its state, 50 at most, the newest last. */
  readonly changes: readonly BreakerChange[]
}

export interface BreakerChange {
  readonly at: number
  readonly from: BreakerState
  readonly to: BreakerState
}
