import type { PricedBeer } from '@taproom/beer'
import type { RingLimits } from './replay-ring.ts'

/** How a {@link BeerHub} treats its clients. */
export interface BeerHubOptions {
  /** A stream fails when no item arrives for so long. */
  readonly itemWaitMs: number
  /** What clients are told to wait before they connect again. Default 1000. */
  readonly retryMs?: number
  /** A quiet stream gets a comment so often. Default 10 000. */
  readonly heartbeatMs?: number
  /** A client with more than this queued is dropped. Default 1 MiB. */
  readonly maxQueuedBytes?: number
  /** Default 20 000. */
  readonly maxClients?: number
  /** What clients can resume from. Default 10 000 events and 8 MiB. */
  readonly ring?: RingLimits
}

/** What options are when they are not given. */
export const defaults = {
  retryMs: 1000,
  heartbeatMs: 10_000,
  maxQueuedBytes: 1024 * 1024,
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
