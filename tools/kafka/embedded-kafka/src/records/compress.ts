import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { encodeLz4 } from '@taproom/kafkajs/lz4'
import { encodeSnappy } from '@taproom/kafkajs/snappy'
import { decompress } from './compression.ts'
import { BATCH_HEADER_BYTES, type BatchCompression, type BatchHeader } from './record-batch.ts'
import { invalid } from './record-cursor.ts'

/** What the records of a batch may hold that is opened: many times what producers put into one (1 MiB). */
const MAX_PLAIN_BYTES = 16_777_216
/** Higher levels of zstd take seconds and hundreds of megabytes for one batch. */
const MAX_ZSTD_LEVEL = 9
const gzip = promisify(zlib.gzip)

/**
 * The records of a batch as they are before compression.
 * @throws {ProtocolError} INVALID_RECORD when they cannot be read or are too much; UNSUPPORTED_COMPRESSION_TYPE
 * for zstd where Node has none (before 22.15)
 */
export function plainRecords(batch: Buffer, { compression }: BatchHeader): Buffer {
  const records = batch.subarray(BATCH_HEADER_BYTES)
  if (compression === 'unknown') throw invalid('the compression of the record batch is not known')
  return compression === 'none' ? records : decompress(compression, records, MAX_PLAIN_BYTES)
}

/** True when this Node can write batches with the compression: zstd needs Node 22.15. */
export function canCompress(codec: BatchCompression): boolean {
  return codec !== 'zstd' || 'zstdCompress' in zlib
}

/** Compresses with gzip and zstd outside the event loop. The level of gzip is 1 to 9, or -1 for the default; zstd works up to 9. */
export async function compress(codec: BatchCompression, bytes: Buffer, level: number): Promise<Buffer> {
  if (codec === 'none') return bytes
  if (codec === 'gzip') return gzip(bytes, { level })
  if (codec === 'lz4') return encodeLz4(bytes)
  if (codec === 'snappy') return encodeSnappy(bytes)
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: Math.min(level, MAX_ZSTD_LEVEL) }
  return promisify(zlib.zstdCompress)(bytes, { params })
}
