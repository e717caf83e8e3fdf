import { CompressionTypes } from '@taproom/kafkajs'

/** As kafkajs names them, by the names of Kafka's `compression.type`. */
export const COMPRESSION_TYPES = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4,
  zstd: CompressionTypes.ZSTD,
} as const

/** How record batches are compressed. */
export type Compression = keyof typeof COMPRESSION_TYPES

export const COMPRESSIONS = Object.keys(COMPRESSION_TYPES) as readonly Compression[]

/** @throws {RangeError} when there is no such compression */
export function checkCompression(option: string, value: Compression): Compression {
  if (!Object.hasOwn(COMPRESSION_TYPES, value)) {
    throw new RangeError(`${option} must be one of ${COMPRESSIONS.join(', ')}, received ${JSON.stringify(value)}`)
  }
  return value
}
