import { randomBytes } from 'node:crypto'
import { CompressionCodecs, CompressionTypes } from '@taproom/kafkajs'
import { decodeLz4, encodeLz4 } from '@taproom/kafkajs/lz4'
import { decodeSnappy, encodeSnappy } from '@taproom/kafkajs/snappy'
import { describe, expect, it } from 'vitest'

const LINES = Buffer.from(Array.from({ length: 9000 }, (_, at) => `beer ${at % 700} of ${at} bottles\n`).join(''))

/** With the sizes around which blocks of 32 and 64 KiB end, and where LZ4 takes no references any more. */
const INPUTS: readonly (readonly [string, Buffer])[] = [
  ...[0, 1, 4, 12, 13, 17, 18, 32_768, 65_535, 65_536, 65_537, 65_549].flatMap((size) => [
    [`${size} zeros`, Buffer.alloc(size)] as const,
    [`${size} bytes of text`, LINES.subarray(0, size)] as const,
    [`${size} random bytes`, randomBytes(size)] as const,
  ]),
  ['300 KB of text', LINES],
  ['text between random bytes', Buffer.concat([randomBytes(70_000), LINES, randomBytes(300), LINES])],
]

const CODECS = [
  ['lz4', encodeLz4, decodeLz4],
  ['snappy', encodeSnappy, decodeSnappy],
] as const

describe.each(CODECS)('%s', (_name, encode, decode) => {
  it.each(INPUTS)('gives back %s', (_what, input) => {
    expect(decode(encode(input), input.length).equals(input)).toBe(true)
  })

  it('makes text smaller, and random bytes hardly larger', () => {
    expect(encode(LINES).length).toBeLessThan(LINES.length / 2)
    expect(encode(randomBytes(1_000_000)).length).toBeLessThan(1_001_000)
  })

  it('gives no more bytes than it may', () => {
    expect(() => decode(encode(LINES), LINES.length - 1)).toThrow(/more than|too big/)
  })

  it('refuses or reads any beginning and any changed byte, within the bound', () => {
    const sample = encode(LINES.subarray(0, 400))
    for (let at = 0; at < sample.length; at += 1) {
      const changed = Buffer.from(sample)
      changed[at] = (changed[at] ?? 0) ^ 0xff
      for (const input of [changed, sample.subarray(0, at)]) {
        let size = 0
        try {
          size = decode(input, 1000).length
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
        expect(size).toBeLessThanOrEqual(1000)
      }
    }
  })
})

describe('a block of Snappy', () => {
  it.each([
    ['more', 3],
    ['less', 5],
  ])('that has %s than it says is refused', (_what, length) => {
    const block = Buffer.from([length, 3 << 2, 1, 2, 3, 4])
    expect(() => decodeSnappy(block, 1000)).toThrow('another length')
    expect(decodeSnappy(Buffer.from([4, ...block.subarray(1)]), 1000)).toEqual(Buffer.from([1, 2, 3, 4]))
  })
})

describe('the codecs of kafkajs', () => {
  it.each(['GZIP', 'Snappy', 'LZ4', 'ZSTD'] as const)(
    'give back with %s what they were given, up to 16 MiB',
    async (name) => {
      const codec = CompressionCodecs[CompressionTypes[name]]()
      const bytes = async (size: number) => await codec.compress({ buffer: Buffer.alloc(size, 'beer') })
      expect(String(await codec.decompress(await bytes(12)))).toBe('beerbeerbeer')
      await expect(bytes(16 * 1024 * 1024 + 1).then((large) => codec.decompress(large))).rejects.toThrow()
    },
  )
})
