import { readDelivery } from './delivery.ts'
import { readDestination } from './destination.ts'
import { readFilter } from './event-filter.ts'
import type { FieldReader } from './field-reader.ts'
import { DNS_LABEL, DNS_LABEL_RULE } from './names.ts'

/** For v1beta1 triggers without `spec.broker`. */
export const DEFAULT_BROKER = 'default'

/** Knative's Kafka broker orders a trigger's deliveries by this annotation. */
const ORDER_ANNOTATION = 'kafka.eventing.knative.dev/delivery.order'

export type TriggerSpec = NonNullable<ReturnType<typeof readTrigger>>

/** `isOrdered`: one event of a partition at a time, in the order of acceptance. */
export function readTrigger(root: FieldReader) {
  const spec = root.child('spec').required()
  spec.fields('broker', 'brokerRef', 'filter', 'filters', 'subscriber', 'delivery')
  const broker = spec.child('broker').required().matching(DNS_LABEL, DNS_LABEL_RULE)
  const subscriber = readDestination(spec.child('subscriber').required())
  const delivery = readDelivery(spec.child('delivery'))
  const order = root.child('metadata').child('annotations').child(ORDER_ANNOTATION).oneOf(['ordered', 'unordered'])
  const matches = readFilter(spec)
  if (broker === undefined || subscriber === undefined || matches === undefined) return undefined
  return { broker, subscriber, matches, isOrdered: order === 'ordered', delivery }
}
