import type { BreakerView } from '../../src/api/breakers.ts'
import type { Eventing } from '../../src/api/eventing.ts'
import type { Fault, OperationView } from '../../src/api/requests.ts'
import type { SystemView } from '../../src/api/system.ts'
import type { Items } from '../api.ts'
import { usePolled } from '../live.ts'
import { BreakerCard } from './breaker-card.tsx'
import { chosenBreaker, chosenEvent, chosenStream } from './chosen.ts'
import { EventCard } from './event-card.tsx'
import { StreamCard } from './stream-card.tsx'

const RARELY_MS = 30_000

/** First things to do with a system: a card for each that this system has the parts for. */
export function FirstCards({ breakers }: { breakers: readonly BreakerView[] }) {
  const system = usePolled<SystemView>('/api/system', RARELY_MS).value.value
  const hasPlatform = system?.resourceApi !== undefined
  const eventing = usePolled<Eventing>(hasPlatform ? '/api/eventing' : undefined, RARELY_MS).value.value
  const operations = usePolled<Items<OperationView>>('/api/operations', RARELY_MS).value.value?.items ?? []
  const faults = usePolled<Items<Fault>>('/api/faults', RARELY_MS).value.value?.items ?? []
  const event = eventing && chosenEvent(eventing)
  const breaker = chosenBreaker({ apps: system?.apps ?? [], breakers, faults, operations })
  const stream = chosenStream(operations)
  if (event === undefined && breaker === undefined && stream === undefined) return null
  return (
    <section class="first-cards" aria-label="First steps">
      {event && <EventCard event={event} />}
      {breaker && <BreakerCard chosen={breaker} breakers={breakers} />}
      {stream !== undefined && <StreamCard path={stream} />}
    </section>
  )
}
