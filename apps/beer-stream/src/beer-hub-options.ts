import type { PricedBeer } from '@taproom/beer'
import type { RingLimits } from './replay-ring.ts'

export interface BeerHubOptions {
  /** A stream fails when no item arrives within this time. */
  readonly itemWaitMs: number
  /** The wait before reconnecting, sent to clients. Default 1000. */
  readonly retryMs?: number
  /** Interval of comments on a quiet stream. Default 10 000. */
  readonly heartbeatMs?: number
  /** Default 20 000. */
  readonly maxClients?: number
  /** Bounds what clients can resume from. Default 10 000 events and 8 MiB. */
  readonly ring?: RingLimits
}

export const DEFAULTS = {
  retryMs: 1000,
  heartbeatMs: 10_000,
  maxClients: 20_000,
  ring: { maxEvents: 10_000, maxBytes: 8 * 1024 * 1024 },
}

/** A priced beer and where it was read. */
export interface BeerRecord extends PricedBeer {
  readonly partition: number
  readonly offset: bigint
  /** Milliseconds since the epoch. */
  readonly timestamp: number
}
