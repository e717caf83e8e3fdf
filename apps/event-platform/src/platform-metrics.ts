import { byTag, type Metrics } from '@taproom/service'
import type { Platform } from './platform.ts'
import { namespacedName, nameText } from './resources/object.ts'
import type { RevisionState } from './serving/revision.ts'

/** Events by result and duration, and instances of sinks. */
export function watchPlatform(metrics: Pick<Metrics, 'watch' | 'observe'>, platform: Platform): void {
  const { brokers, store, controller, serving } = platform

  platform.watchDeliveries(({ trigger, end, seconds }) => {
    metrics.observe('event_delivery', { trigger, result: end }, seconds)
  })

  metrics.watch(
    'event_broker_events_total',
    { type: 'counter', help: 'Events offered to brokers since the start.' },
    () => byTag('result', brokers.counters),
  )
  metrics.watch(
    'event_broker_held_bytes',
    { type: 'gauge', help: 'Bytes of the events that are being read from clients or wait for Kafka.' },
    () => [{ tags: {}, value: brokers.budget.held }],
  )
  metrics.watch(
    'event_trigger_events_total',
    { type: 'counter', help: 'Events a trigger is done with since its subscription was opened.' },
    () =>
      store.list('Trigger').flatMap((trigger) => {
        const counters = { ...controller.triggers.counters(trigger) }
        return byTag('result', counters, { trigger: nameText(namespacedName(trigger)) })
      }),
  )
  const sinks = (read: (state: RevisionState) => Readonly<Record<string, number>>) => () =>
    store.list('Service').flatMap((service) => {
      const name = namespacedName(service)
      const instances = serving.state(name)?.instances
      return instances === undefined ? [] : byTag('state', read(instances), { sink: nameText(name) })
    })
  metrics.watch(
    'sink_instances',
    { type: 'gauge', help: 'Instances of a sink.' },
    sinks(({ ready, starting }) => ({ ready, starting })),
  )
  metrics.watch(
    'sink_requests',
    { type: 'gauge', help: 'Requests to a sink that are in flight or wait for an instance.' },
    sinks(({ inFlight, waiting }) => ({ inFlight, waiting })),
  )
}
