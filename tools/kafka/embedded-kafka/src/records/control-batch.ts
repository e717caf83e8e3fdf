import { BATCH_HEADER_BYTES, buildBatch, CONTROL_ATTRIBUTES } from './record-batch.ts'

export type TransactionOutcome = 'commit' | 'abort'

/** Control record key: version 0, type 0 (abort) or 1 (commit). */
const KEY_BYTES = 4
/** Control record value: version 0, coordinator epoch 0. */
const VALUE_BYTES = 6
/** Offset of the key within the one record: length, attributes, two deltas and the key's length take a byte each. */
const KEY_AT = 5

/** The marker that ends a producer's transaction in one partition. */
export function buildControlBatch(marker: {
  readonly producerId: number
  readonly producerEpoch: number
  readonly outcome: TransactionOutcome
  readonly timestamp: number
}): Buffer {
  const body = 4 + KEY_BYTES + 1 + VALUE_BYTES + 1
  const record = Buffer.alloc(1 + body)
  // Lengths are zigzag varints: twice the value while it is small.
  record.writeUInt8(body * 2, 0)
  record.writeUInt8(KEY_BYTES * 2, 4)
  record.writeInt16BE(marker.outcome === 'commit' ? 1 : 0, KEY_AT + 2)
  record.writeUInt8(VALUE_BYTES * 2, KEY_AT + KEY_BYTES)
  return buildBatch({
    attributes: CONTROL_ATTRIBUTES,
    timestamp: marker.timestamp,
    producerId: marker.producerId,
    producerEpoch: marker.producerEpoch,
    baseSequence: -1,
    recordCount: 1,
    records: record,
  })
}

export function controlOutcome(batch: Buffer): TransactionOutcome {
  return batch.readInt16BE(BATCH_HEADER_BYTES + KEY_AT + 2) === 1 ? 'commit' : 'abort'
}
