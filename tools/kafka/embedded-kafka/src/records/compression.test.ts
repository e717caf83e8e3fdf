import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makeRecord } from '../../tests/make-batch.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { type Compression, decompress } from './compression.ts'

/** What kcat (raw Snappy) and the Java client (framed) made of the same eight records; their LZ4 is the same to the byte. */
const SNAPPY =
  'hQNwXgAAAAFSdGhlIHNhbWUgbGluZSBhZ2FpbiBhbmRCCgAUMQBeAAACpjAAADQBMAAEpjAAHDkAYAAABgFUopAAADYBMQAIpjEABDI1ATEA' +
  'CqYxAAAzBWIADKYxAAA0BcQADqYxAAg2NAA='
const FRAMED_SNAPPY =
  'glNOQVBQWQAAAAABAAAAAQAAAGuFA3BeAAAAAVJ0aGUgc2FtZSBsaW5lIGFnYWluIGFuZEIKABQxAF4AAAKmMAAANAEwAASmMAAcOQBgAAAG' +
  'AVSikAAANgExAAimMQAEMjUBMQAKpjEAADMFYgAMpjEAADQFxAAOpjEACDY0AA=='
const LZ4 =
  'BCJNGGBAgmsAAAD9Dl4AAAABUnRoZSBzYW1lIGxpbmUgYWdhaW4gYW5kCgBvMQBeAAACMAAXEDQwAB8EMAAXjzkAYAAABgFUkAAWEDYxAB8I' +
  'MQAXIDI1MQAfCjEAFxEzYgAfDDEAFxE0xAAfDjEAFVBuIDY0AAAAAAA='

const RECORDS = Buffer.concat(
  Array.from({ length: 8 }, (_, index) =>
    makeRecord({
      offsetDelta: index,
      value: Buffer.from(`the same line again and again and again ${(index + 1) ** 2}`),
    }),
  ),
)

const SAMPLES: readonly (readonly [string, Compression, Buffer])[] = [
  ['Snappy', 'snappy', Buffer.from(SNAPPY, 'base64')],
  ['framed Snappy', 'snappy', Buffer.from(FRAMED_SNAPPY, 'base64')],
  ['LZ4', 'lz4', Buffer.from(LZ4, 'base64')],
  ['gzip', 'gzip', gzipSync(RECORDS)],
  ['Zstandard', 'zstd', zstdCompressSync(RECORDS, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })],
]

/** A literal byte and 64 bytes of reference to it, again and again. */
const snappyBomb = Buffer.concat([
  Buffer.from([0xc0, 0x84, 0x3d, 0, 65]),
  Buffer.alloc(3 * 300_000, Buffer.from([0xfe, 1, 0])),
])
const lz4Bomb = Buffer.concat([
  Buffer.from([4, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 0x45, 0x0d, 3, 0, 0x1f, 65, 1, 0]),
  Buffer.alloc(200_000, 255),
  Buffer.alloc(5),
])

describe('decompress', () => {
  it.each(SAMPLES)('reads %s', (_name, compression, bytes) => {
    expect(decompress(compression, bytes, RECORDS.length)).toEqual(RECORDS)
  })

  it.each(SAMPLES)('refuses %s with one byte more than it may have', (_name, compression, bytes) => {
    const refused = expect.objectContaining({ errorCode: ErrorCode.INVALID_RECORD })
    expect(() => decompress(compression, bytes, RECORDS.length - 1)).toThrow(refused)
  })

  it.each<[string, Compression, Buffer]>([
    ['Snappy', 'snappy', snappyBomb],
    ['LZ4', 'lz4', lz4Bomb],
    ['gzip', 'gzip', gzipSync(Buffer.alloc(20_000_000))],
    ['Zstandard', 'zstd', zstdCompressSync(Buffer.alloc(20_000_000))],
  ])('refuses a bomb of %s', (_name, compression, bytes) => {
    expect(() => decompress(compression, bytes, 1_000_000)).toThrow(/1000000|larger than/)
  })

  it.each(SAMPLES)('refuses or reads %s with any byte changed or cut off, and never more than allowed', (...sample) => {
    const [, compression, bytes] = sample
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 0xff
      for (const input of [changed, bytes.subarray(0, at)]) {
        let size = 0
        try {
          size = decompress(compression, input, 1000).length
        } catch (error) {
          expect(error).toMatchObject({ errorCode: ErrorCode.INVALID_RECORD })
        }
        expect(size).toBeLessThanOrEqual(1000)
      }
    }
  })
})
