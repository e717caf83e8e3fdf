import { type Delivery, readDelivery } from './delivery.ts'
import type { FieldReader } from './field-reader.ts'

export interface BrokerSpec {
  readonly delivery?: Delivery
}

/** Ignores `spec.config`, which configures a cluster's broker. */
export function readBroker(root: FieldReader): BrokerSpec {
  const spec = root.child('spec').fields('config', 'delivery')
  spec.object()
  const delivery = readDelivery(spec.child('delivery'))
  return delivery === undefined ? {} : { delivery }
}
