import { readDelivery } from './delivery.ts'
import type { FieldReader } from './field-reader.ts'

export type BrokerSpec = ReturnType<typeof readBroker>

/** Ignores `spec.config`, which configures a cluster's broker. */
export function readBroker(root: FieldReader) {
  const spec = root.child('spec').fields('config', 'delivery')
  spec.object()
  return { delivery: readDelivery(spec.child('delivery')) }
}
