import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { encodeLz4, lz4Steps } from './lz4.ts'
import { encodeSnappy, snappySteps } from './snappy.ts'
import { inTurns } from './steps.ts'

/** Limit for one batch when decompressed, as for gzip: a kilobyte can become a megabyte. */
const MAX_DECOMPRESSED_BYTES = 16 * 1024 * 1024

/** The interface that kafkajs expects of a codec. */
interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>
  decompress(bytes: Buffer): Promise<Buffer>
}

const compressZstd = promisify(zstdCompress)
const decompressZstd = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(zstdDecompress)

/** The codecs of Kafka that kafkajs lacks. `decompress` rejects with an Error when the bytes are broken. */
export const snappy: Codec = {
  compress: async ({ buffer }) => encodeSnappy(buffer),
  decompress: (bytes) => inTurns(snappySteps(bytes, MAX_DECOMPRESSED_BYTES)),
}

export const lz4: Codec = {
  compress: async ({ buffer }) => encodeLz4(buffer),
  decompress: (bytes) => inTurns(lz4Steps(bytes, MAX_DECOMPRESSED_BYTES)),
}

export const zstd: Codec = {
  compress: ({ buffer }) => compressZstd(buffer),
  decompress: (bytes) => decompressZstd(bytes, { maxOutputLength: MAX_DECOMPRESSED_BYTES }),
}
