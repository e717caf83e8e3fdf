import { openIncoming, openOutgoing } from '@taproom/messaging'
import { type Contender, perCpuSecond } from '../../harness/contender.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import type { Broker } from '../broker.ts'
import { createCounter } from '../counter.ts'

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
  const priced = createCounter()
  const prices = opened.use(openIncoming(broker.kafka, { channel: 'priced-beer', onMessage: () => priced.add() }))
  await prices.assigned

  return perCpuSecond(name, [server.pid], async () => {
    const all = priced.next(BEERS)
    for (let sent = 0; sent < BEERS; sent += IN_FLIGHT) {
      const some = Array.from({ length: IN_FLIGHT }, (_, index) => makeBeer(sent + index))
      await Promise.all(some.map((beer) => beers.send(beer)))
    }
    await all
    return BEERS
  })
}

function makeBeer(number: number) {
  const name = `Beer ${number % 100}`
  return { key: name, value: JSON.stringify({ name, tagline: 'Brewed for measuring.', abv: 5.5 }) }
}
