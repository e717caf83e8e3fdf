import * as zlib from 'node:zlib'
import { decodeLz4 } from '@taproom/kafkajs/lz4'
import { decodeSnappy } from '@taproom/kafkajs/snappy'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { invalid } from './record-cursor.ts'

/** The compressions of record batches, under the names of Apache Kafka's `compression.type`. */
export type Compression = 'gzip' | 'snappy' | 'lz4' | 'zstd'

function inflate(name: Compression, maxBytes: number, decode: () => Buffer): Buffer {
  try {
    return decode()
  } catch (error) {
    // Not of this format, cut off, or larger than allowed: what a client sent, so no defect.
    const reason = error instanceof Error ? error.message : String(error)
    throw invalid(`${name} cannot be decompressed to at most ${maxBytes} bytes: ${reason}`)
  }
}

/**
 * The records of a compressed batch: `bytes` is what follows the header. Memory and time are bounded by `maxBytes` of result.
 * @throws {ProtocolError} INVALID_RECORD when the bytes cannot be decompressed or the result has more than `maxBytes`;
 * UNSUPPORTED_COMPRESSION_TYPE for zstd where Node has none (before 22.15)
 */
export function decompress(compression: Compression, bytes: Buffer, maxBytes: number): Buffer {
  switch (compression) {
    case 'gzip':
      return inflate('gzip', maxBytes, () => zlib.gunzipSync(bytes, { maxOutputLength: maxBytes }))
    case 'zstd':
      if (!('zstdDecompressSync' in zlib)) {
        throw new ProtocolError(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, 'this version of Node has no zstd')
      }
      return inflate('zstd', maxBytes, () => zlib.zstdDecompressSync(bytes, { maxOutputLength: maxBytes }))
    case 'snappy':
      return inflate('snappy', maxBytes, () => decodeSnappy(bytes, maxBytes))
    case 'lz4':
      return inflate('lz4', maxBytes, () => decodeLz4(bytes, maxBytes))
  }
}
