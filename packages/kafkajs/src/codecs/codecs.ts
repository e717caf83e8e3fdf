import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { decodeLz4, encodeLz4 } from './lz4.ts'
import { decodeSnappy, encodeSnappy } from './snappy.ts'

/** Most bytes that come of one compressed batch, as for gzip: a kilobyte can become a megabyte, and so on. */
const MAX_DECOMPRESSED_BYTES = 16 * 1024 * 1024

/** What kafkajs asks of a compression. */
interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>
  decompress(bytes: Buffer): Promise<Buffer>
}

const compressZstd = promisify(zstdCompress)
const decompressZstd = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(zstdDecompress)

/** The compressions of Kafka that kafkajs lacks. What they throw of broken bytes is any Error. */
export const snappy: Codec = {
  compress: async ({ buffer }) => encodeSnappy(buffer),
  decompress: async (bytes) => decodeSnappy(bytes, MAX_DECOMPRESSED_BYTES),
}

export const lz4: Codec = {
  compress: async ({ buffer }) => encodeLz4(buffer),
  decompress: async (bytes) => decodeLz4(bytes, MAX_DECOMPRESSED_BYTES),
}

export const zstd: Codec = {
  compress: ({ buffer }) => compressZstd(buffer),
  decompress: (bytes) => decompressZstd(bytes, { maxOutputLength: MAX_DECOMPRESSED_BYTES }),
}
