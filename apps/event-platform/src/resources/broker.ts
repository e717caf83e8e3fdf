import { type Delivery, readDelivery } from './delivery.ts'
import type { FieldReader } from './field-reader.ts'

export type BrokerSpec = ReturnType<typeof readBroker>

/** Ignores `spec.config`, which configures a cluster's broker. */
export function readBroker(root: FieldReader): { readonly delivery?: Delivery } {
  const spec = root.child('spec').fields('config', 'delivery')
  spec.object()
  const delivery = readDelivery(spec.child('delivery'))
  return delivery === undefined ? {} : { delivery }
}
