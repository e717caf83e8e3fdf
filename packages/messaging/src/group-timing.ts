import { checkInteger } from './option-rules.ts'

/** The times by which a consumer group knows its members, all in milliseconds. */
export interface GroupTiming {
  /** A member that is silent for so long is taken for dead. */
  readonly sessionTimeoutMs: number
  /** A rebalance ends after this, whoever has not come back. */
  readonly rebalanceTimeoutMs: number
  readonly heartbeatIntervalMs: number
}

/** The shortest session that Kafka allows by default. */
const DEFAULT_SESSION_TIMEOUT_MS = 6000
const SHORTEST_SESSION_TIMEOUT_MS = 1000
const REBALANCE_TIMEOUT_MS = 10_000

/**
 * Times that suit a session timeout, 6000 unless given: several heartbeats fit into a session.
 * @throws {RangeError} when it is below a second
 */
export function groupTiming(sessionTimeoutMs: number = DEFAULT_SESSION_TIMEOUT_MS): GroupTiming {
  checkInteger('sessionTimeoutMs', sessionTimeoutMs, SHORTEST_SESSION_TIMEOUT_MS)
  return {
    sessionTimeoutMs,
    rebalanceTimeoutMs: REBALANCE_TIMEOUT_MS,
    heartbeatIntervalMs: Math.min(1000, Math.floor(sessionTimeoutMs / 5)),
  }
}
