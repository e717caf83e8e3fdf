import type { PricedBeer } from '@taproom/beer'

export type BeerHubOptions = Readonly<Partial<typeof DEFAULTS>> & {
  /** A stream fails when no item arrives within this time. */
  readonly itemWaitMs: number
}

export const DEFAULTS = {
  /** The wait before reconnecting, sent to clients. */
  retryMs: 1000,
  /** Interval of comments on a quiet stream. */
  heartbeatMs: 10_000,
  maxClients: 20_000,
  /** Bounds what clients can resume from. */
  ring: { maxEvents: 10_000, maxBytes: 8 * 1024 * 1024 },
}

/** A priced beer and where it was read. */
export interface BeerRecord extends PricedBeer {
  readonly partition: number
  readonly offset: bigint
  /** Milliseconds since the epoch. */
  readonly timestamp: number
}
