import { openIncoming, openOutgoing } from '@taproom/messaging'
import type { Contender } from '../area.ts'
import type { Broker } from '../broker.ts'
import type { ServerProcess } from '../server-process.ts'
import { startStopwatch } from '../stopwatch.ts'

const BEERS = 20_000
const IN_FLIGHT = 1000
/** Long, for machines that are busy. */
const PATIENCE_MS = 60_000

/** Beers that a process prices in a second of its own CPU time, or of the clock where that is not known. */
export async function openPricing(
  name: string,
  broker: Broker,
  server: ServerProcess,
  opened: AsyncDisposableStack,
): Promise<Contender> {
  const beers = opened.use(openOutgoing(broker.kafka, { channel: 'beers', topic: 'beer', timeoutMs: PATIENCE_MS }))
  let priced = 0
  let done = { at: Number.POSITIVE_INFINITY, resolve() {} }
  const prices = opened.use(
    openIncoming(broker.kafka, {
      channel: 'priced-beer',
      onMessage: () => {
        priced += 1
        if (priced >= done.at) done.resolve()
      },
    }),
  )
  await prices.assigned

  return {
    name,
    async measure() {
      const { promise, resolve } = Promise.withResolvers<void>()
      done = { at: priced + BEERS, resolve }
      const stopwatch = startStopwatch(server.pid)
      for (let sent = 0; sent < BEERS; sent += IN_FLIGHT) {
        const some = Array.from({ length: IN_FLIGHT }, (_, index) => makeBeer(sent + index))
        await Promise.all(some.map((beer) => beers.send(beer)))
      }
      await promise
      return BEERS / stopwatch()
    },
  }
}

function makeBeer(number: number) {
  const name = `Beer ${number % 100}`
  return { key: name, value: JSON.stringify({ name, tagline: 'Brewed for measuring.', abv: 5.5 }) }
}
