import { readDelivery } from './delivery.ts'
import { readDestination } from './destination.ts'
import { readFilter } from './event-filter.ts'
import type { FieldReader } from './field-reader.ts'
import { DNS_LABEL, DNS_LABEL_RULE } from './names.ts'

/** For v1beta1 triggers without `spec.broker`. */
export const DEFAULT_BROKER = 'default'

/** Knative's Kafka broker orders a trigger's deliveries by this annotation. */
const ORDER_ANNOTATION = 'kafka.eventing.knative.dev/delivery.order'

const PIPELINING_ANNOTATION = 'taproom/delivery.pipelining'
const PIPELINING = /^(?:[1-9]|[1-5]\d|6[0-4])$/

export type TriggerSpec = NonNullable<ReturnType<typeof readTrigger>>

/**
 * `isOrdered`: one event of a partition at a time, in the order of acceptance. `pipelining`: most events under way on one connection to the
 * subscriber.
 */
export function readTrigger(root: FieldReader) {
  const spec = root
    .child('spec')
    .required()
    .fields('broker', 'brokerRef', 'filter', 'filters', 'subscriber', 'delivery')
  const broker = spec.child('broker').required().matching(DNS_LABEL, DNS_LABEL_RULE)
  const subscriber = readDestination(spec.child('subscriber').required())
  const delivery = readDelivery(spec.child('delivery'))
  const annotations = root.child('metadata').child('annotations')
  const order = annotations.child(ORDER_ANNOTATION).oneOf(['ordered', 'unordered'])
  const pipelining = annotations.child(PIPELINING_ANNOTATION).matching(PIPELINING, '"1" to "64"')
  const matches = readFilter(spec)
  if (broker === undefined || subscriber === undefined || matches === undefined) return undefined
  const how = { isOrdered: order === 'ordered', pipelining: Number(pipelining ?? 1) }
  return { broker, subscriber, matches, ...how, ...(delivery && { delivery }) }
}
