import { CompressionTypes } from '@taproom/kafkajs'

const TYPES = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4,
  zstd: CompressionTypes.ZSTD,
} as const

/** How record batches are compressed, by the names of Kafka's `compression.type`. */
export type Compression = keyof typeof TYPES

export const COMPRESSIONS = Object.keys(TYPES) as readonly Compression[]

/** @throws {RangeError} when there is no such compression */
export function checkCompression(option: string, value: Compression): Compression {
  if (!Object.hasOwn(TYPES, value)) {
    throw new RangeError(`${option} must be one of ${COMPRESSIONS.join(', ')}, received ${JSON.stringify(value)}`)
  }
  return value
}

/** As kafkajs names it. */
export function compressionType(compression: Compression): CompressionTypes {
  return TYPES[compression]
}
