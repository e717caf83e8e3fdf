/** How short and how long the sessions of members may be, in milliseconds. */
export interface SessionLimits {
  readonly minMs: number
  readonly maxMs: number
}

/** Apache Kafka's `group.min.session.timeout.ms` and `group.max.session.timeout.ms` by default. */
export const SESSIONS: SessionLimits = { minMs: 6000, maxMs: 1_800_000 }
