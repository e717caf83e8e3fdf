import { BATCH_HEADER_BYTES, type BatchHeader } from './record-batch.ts'
import { RecordCursor } from './record-cursor.ts'

/** The offset at a point in time. */
export interface TimedOffset {
  readonly offset: number
  readonly timestamp: number
}

/**
 * The first record of a batch with a timestamp of at least `timestamp`. Compressed records are not read:
 * for them it is the first offset of the batch, which may be early but never late.
 */
export function firstRecordSince(header: BatchHeader, batch: Buffer, timestamp: number): TimedOffset {
  const closed = { offset: header.baseOffset, timestamp: header.maxTimestamp }
  // Of records with the broker's time all have the same.
  if (header.compression !== 'none' || header.isLogAppendTime) return closed
  const cursor = new RecordCursor(batch, BATCH_HEADER_BYTES)
  for (let index = 0; index < header.recordCount; index += 1) {
    const length = cursor.varint()
    const start = cursor.at
    cursor.skip(1)
    const found = header.baseTimestamp + cursor.varint()
    const offsetDelta = cursor.varint()
    if (found >= timestamp) return { offset: header.baseOffset + offsetDelta, timestamp: found }
    cursor.skip(length - (cursor.at - start))
  }
  return closed
}
