import { type Delivery, readDelivery } from './delivery.ts'
import type { FieldReader } from './field-reader.ts'

/** What this platform reads of a Broker's `spec`. */
export interface BrokerSpec {
  readonly delivery?: Delivery
}

/** Reads and checks a Broker. `spec.config` is taken as it is: it configures a cluster's broker, not this one. */
export function readBroker(root: FieldReader): BrokerSpec {
  const spec = root.child('spec').fields('config', 'delivery')
  spec.object()
  const delivery = readDelivery(spec.child('delivery'))
  return delivery === undefined ? {} : { delivery }
}
