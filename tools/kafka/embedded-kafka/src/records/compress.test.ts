import { describe, expect, it } from 'vitest'
import { canCompress, compress, plainRecords } from './compress.ts'
import { BATCH_HEADER_BYTES, type BatchHeader } from './record-batch.ts'

const TEXT = Buffer.from('again and '.repeat(100))

describe('compress', () => {
  it.each([
    ['none', 0],
    ['gzip', -1],
    ['gzip', 9],
    ['zstd', -131_072],
    ['zstd', 22],
    ['snappy', 0],
    ['lz4', 0],
  ] as const)('writes %s of level %s that can be read', async (compression, level) => {
    expect(canCompress(compression)).toBe(true)
    const batch = Buffer.concat([Buffer.alloc(BATCH_HEADER_BYTES), await compress(compression, TEXT, level)])
    expect(plainRecords(batch, { compression } as BatchHeader)).toEqual(TEXT)
  })
  it.each(['gzip', 'zstd', 'snappy', 'lz4'] as const)(
    'names the limit of what %s is decompressed to',
    async (codec) => {
      const records = await compress(codec, Buffer.alloc(16 * 1_048_576 + 1), 1)
      const batch = Buffer.concat([Buffer.alloc(BATCH_HEADER_BYTES), records])
      expect(() => plainRecords(batch, { compression: codec } as BatchHeader)).toThrow(/to at most 16777216 bytes/)
    },
  )
})
