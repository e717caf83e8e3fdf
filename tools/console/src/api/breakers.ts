export type BreakerState = 'closed' | 'open' | 'half-open'

/** One of `GET /api/breakers`: a circuit breaker of a service, by its health check and the spans of its calls. */
export interface BreakerView {
  readonly service: string
  /** As its check has it, without `circuit breaker`: `Film service`. */
  readonly name: string
  readonly state: BreakerState
  /** While it is open: when the next call is tried. */
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
