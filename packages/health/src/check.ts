/** Whether something works. The only two words of MicroProfile Health. */
export type HealthStatus = 'UP' | 'DOWN'

/** Facts a check tells beside its status. Shown to everyone who can reach the endpoint: no secrets. */
export type HealthData = Readonly<Record<string, string | number | boolean>>

/** What one run of a check found. */
export interface CheckOutcome {
  readonly status: HealthStatus
  readonly data?: HealthData
}

/** One health check. Structural: a library can return this shape without importing this package. */
export interface HealthCheck {
  /** Shown in the report; unique names make reports readable but are not demanded. */
  readonly name: string
  /** How long a run may take before it counts as DOWN, in milliseconds. Default: 2000. */
  readonly timeoutMs?: number
  /**
   * Looks once. Throwing or rejecting means DOWN with `data.rootCause`; outlasting the limit means DOWN with `data.error`.
   * The signal aborts at the limit: end the work then, and give an outcome with the data that is known.
   */
  check(signal: AbortSignal): CheckOutcome | Promise<CheckOutcome>
}

/** The result of one check within a report. */
export interface CheckReport {
  readonly name: string
  readonly status: HealthStatus
  readonly data?: HealthData
}

/** The JSON body of a health endpoint: UP when every check is UP, also when there are none. */
export interface HealthReport {
  readonly status: HealthStatus
  readonly checks: readonly CheckReport[]
}
