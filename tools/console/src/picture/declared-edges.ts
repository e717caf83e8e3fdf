import type { SystemFacts } from '@taproom/start/control'
import type { EdgeRate } from './edge-rates.ts'
import type { EventingObjects } from './eventing-objects.ts'
import { GATEWAY, type PictureService, type PictureSystem, type Places, processId } from './places.ts'
import { serviceId } from './span-edges.ts'

export type Declarations = PictureSystem & Pick<SystemFacts, 'apps' | 'platform'>

interface Known {
  readonly services: readonly PictureService[]
  readonly eventing: EventingObjects
  readonly places: Pick<Places, 'nodeAt'>
  /** Edges with traffic. */
  readonly seen: readonly EdgeRate[]
}

/** The calls that `system.ts` and triggers declare, before any is made: from the gateway to apps, and from apps to their needs. */
export function declaredEdges(system: Declarations, known: Known): readonly EdgeRate[] {
  const { services, eventing, places, seen } = known
  const calls = system.apps.flatMap(({ name, serves, standIns }) => {
    const id = serviceId(name)
    const brokers = name === system.platform ? eventing.brokers : []
    return [
      ...(serves.length === 0 ? [] : [edge('http', GATEWAY, id)]),
      ...brokers.map((broker) => edge('produce', id, broker.id)),
      ...services
        .filter((service) => service.kind === 'stand-in' && standIns.includes(service.name))
        .map((service) => needed(id, processId(service, system))),
    ]
  })
  return [...calls.filter((call) => !isCovered(call, [...seen, ...calls])), ...triggerEdges(eventing, places)]
}

function needed(from: string, to: string): EdgeRate {
  return edge(isKafka(to) ? 'produce' : 'http', from, to)
}

/** The topics and brokers of an app replace its Kafka once they are known. */
function isCovered({ from, to }: EdgeRate, others: readonly EdgeRate[]): boolean {
  if (!isKafka(to)) return false
  return others.some(
    ({ kind, ...ends }) =>
      (kind === 'produce' && ends.from === from && !isKafka(ends.to)) || (kind === 'consume' && ends.to === from),
  )
}

function isKafka(id: string): boolean {
  return id.startsWith('kafka/')
}

function triggerEdges({ triggers }: EventingObjects, places: Known['places']): readonly EdgeRate[] {
  return triggers.flatMap(({ id, broker, subscriber }) => {
    const to = places.nodeAt(subscriber)
    return [edge('event', broker, id), ...(to === undefined ? [] : [edge('event', id, to)])]
  })
}

function edge(kind: EdgeRate['kind'], from: string, to: string): EdgeRate {
  return { kind, from, to, count: 0, failed: 0, durations: [], groups: [] }
}
