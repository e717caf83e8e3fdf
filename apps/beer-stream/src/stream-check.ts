import type { HealthCheck } from '@taproom/health'
import type { BeerHub } from './beer-hub.ts'
import type { PricedBeerFeed } from './priced-beer-feed.ts'

/** For information; never DOWN, as slow clients and bad records are not this service's fault. */
export function streamCheck(hub: Pick<BeerHub, 'counters'>, feed: Pick<PricedBeerFeed, 'malformed'>): HealthCheck {
  return {
    name: 'Priced beer stream',
    check: () => ({ status: 'UP', data: { ...hub.counters, malformed: feed.malformed } }),
  }
}
