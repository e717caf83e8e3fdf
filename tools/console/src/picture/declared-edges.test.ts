import { describe, expect, it } from 'vitest'
import { type Declarations, declaredEdges } from './declared-edges.ts'
import type { EdgeRate } from './edge-rates.ts'
import type { EventingObjects } from './eventing-objects.ts'
import { type PictureService, Places } from './places.ts'

const SYSTEM: Declarations = {
  url: 'http://127.0.0.1:8080',
  bootstrapServers: '127.0.0.1:9092',
  platform: 'event-platform',
  apps: [
    { name: 'shop', serves: ['/orders'], standIns: ['payment-standin', 'kafka-here'] },
    { name: 'worker', serves: [], standIns: [] },
    { name: 'event-platform', serves: ['/brokers/*'], standIns: ['kafka-here'] },
  ],
}
const process = (name: string, kind: PictureService['kind'], port: number): PictureService => ({
  ...{ name, kind, port, state: 'ready', failing: [] },
})
const SERVICES = [
  process('shop', 'app', 1001),
  process('worker', 'app', 1002),
  process('event-platform', 'app', 1003),
  process('payment-standin', 'stand-in', 1004),
  process('kafka-here', 'stand-in', 9092),
]
const NONE: EventingObjects = { brokers: [], triggers: [], sinks: [] }
const BROKER = { id: 'broker/default/main', name: 'main', state: 'up' } as const

function drawn(eventing: EventingObjects = NONE, seen: readonly EdgeRate[] = []): readonly string[] {
  const places = new Places({ services: SERVICES, eventing, system: SYSTEM, listenerAt: () => undefined })
  const edges = declaredEdges(SYSTEM, { services: SERVICES, eventing, places, seen })
  return edges.map(({ kind, from, to, count }) => `${kind} ${from} > ${to} ${count}`)
}

describe('decisions 3.174: declared calls in the picture', () => {
  it('lead from the gateway to the apps that serve paths, and from apps to the stand-ins of their needs', () => {
    expect(drawn()).toEqual([
      'http gateway/gateway > service/shop 0',
      'http service/shop > remote/payment-standin 0',
      'produce service/shop > kafka/kafka-here 0',
      'http gateway/gateway > service/event-platform 0',
      'produce service/event-platform > kafka/kafka-here 0',
    ])
  })

  it('lead over the brokers of an event platform and triggers to subscribers', () => {
    const trigger = { id: 'trigger/default/all', name: 'all', state: 'up' } as const
    const subscriber = 'http://127.0.0.1:1002/'
    const eventing = { ...NONE, brokers: [BROKER], triggers: [{ ...trigger, broker: BROKER.id, subscriber }] }
    expect(drawn(eventing).slice(3)).toEqual([
      'http gateway/gateway > service/event-platform 0',
      'produce service/event-platform > broker/default/main 0',
      'event broker/default/main > trigger/default/all 0',
      'event trigger/default/all > service/worker 0',
    ])
  })

  it('lead to Kafka only while no topic of the app is known', () => {
    const none = { count: 0, failed: 0, durations: [], groups: [] }
    const read = { ...none, kind: 'consume', from: 'topic/orders', to: 'service/shop' } as const
    expect(drawn(NONE, [read])).not.toContain('produce service/shop > kafka/kafka-here 0')
  })
})
