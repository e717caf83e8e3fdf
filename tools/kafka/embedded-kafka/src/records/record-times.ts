import { failureOf } from '../protocol/protocol-error.ts'
import { decompress } from './compression.ts'
import { BATCH_HEADER_BYTES, type BatchHeader } from './record-batch.ts'
import { RecordCursor } from './record-cursor.ts'

/** Many times what producers put into a batch (1 MiB), little enough to look into on the side. */
const MAX_DECOMPRESSED_BYTES = 8_388_608

/** The offset at a point in time. */
export interface TimedOffset {
  readonly offset: number
  readonly timestamp: number
}

/** What is looked for in a batch. */
interface Wanted {
  /** The record's time or later. */
  readonly timestamp: number
  /** The record's offset or later. */
  readonly fromOffset: number
}

/**
 * The first record of a batch that is wanted; undefined when all that are late enough come before `fromOffset`.
 * Where records cannot be decompressed, it is the first offset of the batch, which may be early but never late.
 */
export function firstRecordSince(header: BatchHeader, batch: Buffer, wanted: Wanted): TimedOffset | undefined {
  const { baseOffset, maxTimestamp } = header
  const isCut = baseOffset < wanted.fromOffset
  try {
    const found = findRecord(header, batch, wanted)
    if (found || isCut) return found
  } catch (error) {
    failureOf(error)
  }
  // Unreadable, or the time in the header is a lie.
  return { offset: Math.max(baseOffset, wanted.fromOffset), timestamp: maxTimestamp }
}

function recordsOf({ compression }: BatchHeader, batch: Buffer): RecordCursor {
  const isCompressed = compression !== 'none' && compression !== 'unknown'
  if (!isCompressed) return new RecordCursor(batch, BATCH_HEADER_BYTES)
  return new RecordCursor(decompress(compression, batch.subarray(BATCH_HEADER_BYTES), MAX_DECOMPRESSED_BYTES), 0)
}

function findRecord(header: BatchHeader, batch: Buffer, wanted: Wanted): TimedOffset | undefined {
  const cursor = recordsOf(header, batch)
  for (let index = 0; index < header.recordCount; index += 1) {
    const length = cursor.varint()
    const start = cursor.at
    cursor.skip(1)
    const created = header.baseTimestamp + cursor.varint()
    const timestamp = header.isLogAppendTime ? header.maxTimestamp : created
    const offset = header.baseOffset + cursor.varint()
    if (timestamp >= wanted.timestamp && offset >= wanted.fromOffset) return { offset, timestamp }
    cursor.skip(length - (cursor.at - start))
  }
  return undefined
}
