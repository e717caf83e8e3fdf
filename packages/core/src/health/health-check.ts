/** The only two states of MicroProfile Health. */
export type HealthStatus = 'UP' | 'DOWN'

/** Further facts of a check. Shown to everyone who can reach the endpoint: no secrets. */
export type HealthData = Readonly<Record<string, string | number | boolean>>

export interface CheckOutcome {
  readonly status: HealthStatus
  readonly data?: HealthData
}

/** One health check. A library can give one without importing \@taproom/health. */
export interface HealthCheck {
  /** Shown in the report; should be unique. */
  readonly name: string
  /** How long a run may take before it counts as DOWN, in milliseconds. Default: 2000. */
  readonly timeoutMs?: number
  /**
   * How long its outcome is given again, in milliseconds: 0 for a check that reads local state. Default: `cacheMs` of `createHealth`, but 50
   * at most until the check has been UP once.
   */
  readonly cacheMs?: number
  /**
   * Runs once. Throwing or rejecting means DOWN with `data.rootCause`; exceeding the limit means DOWN with `data.error`.
   * The signal aborts at the limit: end the work then, and return an outcome with the data known so far.
   */
  check(signal: AbortSignal): CheckOutcome | Promise<CheckOutcome>
}
