/** A member that is silent for so long is taken for dead; 6 s is the shortest that Kafka allows by default. */
export const SESSION_TIMEOUT_MS = 6000
/** A rebalance ends after this, whoever has not come back. */
export const REBALANCE_TIMEOUT_MS = 10_000
export const HEARTBEAT_INTERVAL_MS = 1000
