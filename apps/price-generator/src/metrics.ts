import type { TransformChannel } from '@taproom/messaging'
import type { Metrics } from '@taproom/service'

/** Counts beers priced, skipped as malformed, and transactions repeated. */
export function watchPrices(metrics: Pick<Metrics, 'watch'>, channel: Pick<TransformChannel, 'counters'>): void {
  metrics.watch('beers_read_total', { type: 'counter', help: 'Messages read, by what became of them.' }, () => {
    const { produced, skipped } = channel.counters
    return Object.entries({ priced: produced, skipped }).map(([result, value]) => ({ tags: { result }, value }))
  })
  metrics.watch('price_transactions_aborted_total', { type: 'counter', help: 'Transactions done again.' }, () => [
    { tags: {}, value: channel.counters.aborted },
  ])
}
