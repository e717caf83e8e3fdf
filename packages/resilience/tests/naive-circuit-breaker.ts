/**
 * The rules of MicroProfile's circuit breaker, slow and plain: it keeps all results and counts them each time. Tests compare the real
 * one with it.
 */
export class NaiveCircuitBreaker {
  readonly #options: NaiveOptions
  state: 'closed' | 'open' | 'half-open' = 'closed'
  /** Increased with every change of state, so that late results can be recognised. */
  #era = 0
  #results: boolean[] = []
  #openForMs = 0
  #trials = 0

  constructor(options: NaiveOptions) {
    this.#options = options
  }

  wait(ms: number): void {
    this.#openForMs += ms
    if (this.state === 'open' && this.#openForMs >= this.#options.delayMs) this.#become('half-open')
  }

  /** Undefined when the call is refused, else the function that takes its result. */
  begin(): ((failed: boolean) => void) | undefined {
    if (this.state === 'open') return undefined
    if (this.state === 'half-open') {
      if (this.#trials === this.#options.successThreshold) return undefined
      this.#trials += 1
    }
    const era = this.#era
    return (failed) => {
      if (era === this.#era) this.#judge(failed)
    }
  }

  #judge(failed: boolean): void {
    this.#results.push(failed)
    const { requestVolumeThreshold, failureRatio, successThreshold } = this.#options
    if (this.state === 'closed') {
      const window = this.#results.slice(-requestVolumeThreshold)
      const failures = window.filter((failure) => failure).length
      const isFull = window.length === requestVolumeThreshold
      if (isFull && failures / requestVolumeThreshold >= failureRatio) this.#become('open')
    } else if (failed) {
      this.#become('open')
    } else if (this.#results.length === successThreshold) {
      this.#become('closed')
    }
  }

  #become(state: NaiveCircuitBreaker['state']): void {
    this.state = state
    this.#era += 1
    this.#results = []
    this.#trials = 0
    this.#openForMs = 0
  }
}

interface NaiveOptions {
  readonly requestVolumeThreshold: number
  readonly failureRatio: number
  readonly successThreshold: number
  readonly delayMs: number
}
