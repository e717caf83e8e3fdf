import { checkInteger } from '../channel/option-rules.ts'

export type GroupTiming = ReturnType<typeof groupTiming>

/** The shortest session that Kafka allows, unless `group.min.session.timeout.ms` is changed. */
const DEFAULT_SESSION_TIMEOUT_MS = 6000
const SHORTEST_SESSION_TIMEOUT_MS = 1000
const SHORTEST_REBALANCE_TIMEOUT_MS = 10_000

/**
 * The times of a consumer group, in milliseconds. Derives the other times from the session timeout; at least five heartbeats fit into a session.
 * @throws {RangeError} when it is below 1000
 */
export function groupTiming(sessionTimeoutMs: number = DEFAULT_SESSION_TIMEOUT_MS) {
  checkInteger('sessionTimeoutMs', sessionTimeoutMs, SHORTEST_SESSION_TIMEOUT_MS)
  return {
    /** How long Kafka waits for a member's heartbeat before it gives the member's partitions to others. */
    sessionTimeoutMs,
    /** How long a rebalance waits for others to join: at least the session timeout, as until then a silent member may be alive. */
    rebalanceTimeoutMs: Math.max(SHORTEST_REBALANCE_TIMEOUT_MS, sessionTimeoutMs),
    heartbeatIntervalMs: Math.min(1000, Math.floor(sessionTimeoutMs / 5)),
  }
}
