import { createKafka, type OutgoingChannel, type OutgoingProperties, openOutgoing } from '@taproom/messaging'
import { byTag, type Logger, type Metrics, startTicker } from '@taproom/service'

export interface TicksOptions {
  readonly ticks: OutgoingProperties
  readonly intervalMs: number
  readonly log: Logger
}

/**
 * Writes a message to the topic `template-app-ticks` at each tick, until it is disposed of; one that Kafka cannot take is dropped. Each
 * instance writes its own: `pods: 'never two'` in system.ts allows one alone.
 */
export function openTicks({
  ticks,
  intervalMs,
  log,
}: TicksOptions): Pick<OutgoingChannel, 'check' | 'counters' | typeof Symbol.asyncDispose> {
  const kafka = createKafka({ clientId: 'template-app', ...ticks, log })
  const channel = openOutgoing(kafka, { channel: 'template-app-ticks', ...ticks })
  let tick = 0
  const ticker = startTicker({
    intervalMs,
    onTick() {
      tick += 1
      channel
        .send({ key: 'tick', value: JSON.stringify({ tick }) })
        .catch((error: unknown) => log.error({ err: error }, 'tick not written'))
    },
  })
  return {
    check: channel.check,
    counters: channel.counters,
    async [Symbol.asyncDispose]() {
      ticker[Symbol.dispose]()
      await channel[Symbol.asyncDispose]()
    },
  }
}

/** Counts ticks by what became of them. */
export function watchTicks(metrics: Metrics, { counters }: Pick<OutgoingChannel, 'counters'>): void {
  const help = 'Ticks, by what became of them.'
  metrics.watch('template_app_ticks_total', { type: 'counter', help }, () => byTag('result', { ...counters }))
}
