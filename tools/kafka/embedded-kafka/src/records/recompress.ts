import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { compress, plainRecords } from './compress.ts'
import { BATCH_HEADER_BYTES, type BatchCompression, type BatchHeader, rebuildBatch } from './record-batch.ts'

/**
 * A checked batch, compressed as its topic wants it.
 * @throws {ProtocolError} INVALID_RECORD when its records cannot be read, MESSAGE_TOO_LARGE when it becomes larger than `maxBytes`
 */
export async function recompress(
  batch: Buffer,
  header: BatchHeader,
  wanted: { readonly codec: BatchCompression; readonly level: number; readonly maxBytes: number },
): Promise<Buffer> {
  const { codec, level, maxBytes } = wanted
  const { compression, recordCount, maxTimestamp } = header
  if (compression === codec || compression === 'unknown') return batch
  const records = await compress(codec, plainRecords(batch, header), level)
  const size = BATCH_HEADER_BYTES + records.length
  if (size <= maxBytes) return rebuildBatch(batch, { records, compression: codec, recordCount, maxTimestamp })
  throw new ProtocolError(ErrorCode.MESSAGE_TOO_LARGE, `the record batch has ${size} bytes, ${maxBytes} are allowed`)
}
