import type { Metrics } from '@taproom/service'
import type { BeerHub } from './beer-hub.ts'
import type { PricedBeerFeed } from './priced-beer-feed.ts'

/** Counts clients, dropped and failed streams, and malformed messages. */
export function watchStream(
  metrics: Pick<Metrics, 'watch'>,
  hub: Pick<BeerHub, 'counters'>,
  feed: Pick<PricedBeerFeed, 'malformed'>,
): void {
  const watch = (name: string, type: 'counter' | 'gauge', help: string, read: () => number) =>
    metrics.watch(name, { type, help }, () => [{ tags: {}, value: read() }])
  watch('beer_stream_clients', 'gauge', 'Clients there are.', () => hub.counters.clients)
  watch('beer_stream_dropped_total', 'counter', 'Clients dropped: they read too slowly.', () => hub.counters.dropped)
  watch('beer_stream_failed_total', 'counter', 'Streams failed: no beer came in time.', () => hub.counters.failed)
  watch('beer_stream_malformed_total', 'counter', 'Messages that were no priced beers.', () => feed.malformed)
}
