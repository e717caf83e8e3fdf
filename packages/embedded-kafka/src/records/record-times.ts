import { BATCH_HEADER_BYTES, type BatchHeader } from './record-batch.ts'

const COMPRESSION = 0x07

/** Where in a log a point in time lies. */
export interface TimedOffset {
  readonly offset: number
  readonly timestamp: number
}

/** A zigzag varint at `at` and the place behind it. */
function zigzag(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let raw = 0n
  let shift = 0n
  for (let end = at; end < bytes.length; end++) {
    const byte = bytes.readUInt8(end)
    raw |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return { value: Number((raw >> 1n) ^ -(raw & 1n)), end: end + 1 }
    shift += 7n
  }
  return { value: 0, end: bytes.length }
}

/**
 * The first record of a batch with a timestamp of at least `timestamp`. Compressed batches stay closed:
 * for them the answer is the batch's first offset, which is never too late.
 */
export function firstRecordSince(header: BatchHeader, batch: Buffer, timestamp: number): TimedOffset {
  const closed = { offset: header.baseOffset, timestamp: header.maxTimestamp }
  if ((batch.readInt16BE(21) & COMPRESSION) !== 0) return closed
  let at = BATCH_HEADER_BYTES
  for (let index = 0; index < header.recordCount && at < batch.length; index++) {
    const length = zigzag(batch, at)
    const timeDelta = zigzag(batch, length.end + 1)
    const offsetDelta = zigzag(batch, timeDelta.end)
    const found = header.baseTimestamp + timeDelta.value
    if (found >= timestamp) return { offset: header.baseOffset + offsetDelta.value, timestamp: found }
    if (length.value <= 0) break
    at = length.end + length.value
  }
  return closed
}
