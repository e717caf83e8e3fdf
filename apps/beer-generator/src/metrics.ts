import type { OutgoingChannel } from '@taproom/messaging'
import type { Metrics } from '@taproom/service'

/** Counts beers sent, failed, or dropped because Kafka was not ready. */
export function watchBeers(metrics: Pick<Metrics, 'watch'>, channel: Pick<OutgoingChannel, 'counters'>): void {
  metrics.watch('beers_generated_total', { type: 'counter', help: 'Beers generated, by what became of them.' }, () => {
    const { sent, dropped, failed } = channel.counters
    return Object.entries({ sent, dropped, failed }).map(([result, value]) => ({ tags: { result }, value }))
  })
}
