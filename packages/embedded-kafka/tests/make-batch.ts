import { buildBatch } from '../src/records/record-batch.ts'

/** A batch around opaque bytes, for tests. */
export function makeBatch(
  overrides: Partial<{
    timestamp: number
    producerId: number
    producerEpoch: number
    baseSequence: number
    recordCount: number
    transactional: boolean
    bytes: number
  }> = {},
): Buffer {
  return buildBatch({
    attributes: overrides.transactional ? 0x10 : 0,
    timestamp: overrides.timestamp ?? 1000,
    producerId: overrides.producerId ?? -1,
    producerEpoch: overrides.producerEpoch ?? -1,
    baseSequence: overrides.baseSequence ?? -1,
    recordCount: overrides.recordCount ?? 1,
    records: Buffer.alloc(overrides.bytes ?? 10, 1),
  })
}
