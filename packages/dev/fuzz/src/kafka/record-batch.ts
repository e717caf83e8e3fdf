import { gzipSync } from 'node:zlib'
import type { Random } from '../kit/random.ts'
import type { Shape } from '../kit/shapes.ts'
import { count, hostileText, mutateBytes, word } from '../kit/text.ts'
import { crc32c, int8, int16, int32, int64, varbytes, varint } from './wire.ts'

/** A record batch to be written; members left out are as Kafka wants them. */
export interface Batch {
  readonly records: readonly Buffer[]
  /** Compression in the lowest three bits; default 0. */
  readonly attributes?: number
  /** The number of records that the header claims. */
  readonly recordCount?: number
  readonly lastOffsetDelta?: number
  readonly magic?: number
  readonly producerId?: number
  readonly producerEpoch?: number
  readonly baseSequence?: number
  readonly timestamp?: bigint | number
  /** The bytes of the records, when they are not simply one after another. */
  readonly body?: Buffer
  /** Added to the length field. */
  readonly lengthOff?: number
  readonly hasWrongChecksum?: boolean
}

type Header = readonly [name: string, value: string | null]

export function recordOf({
  key = null,
  value,
  headers = [],
}: {
  key?: string | null
  value: Buffer | string | null
  headers?: readonly Header[]
}): Buffer {
  const content = Buffer.concat([
    ...[int8(0), varint(0), varint(0), varbytes(key), varbytes(value), varint(headers.length)],
    ...headers.flatMap(([name, text]) => [varbytes(name), varbytes(text)]),
  ])
  return Buffer.concat([varint(content.length), content])
}

/** A batch of format 2 as Kafka wants it, with a right checksum unless it is to be wrong. */
export function batchOf(batch: Batch): Buffer {
  const {
    records,
    attributes = 0,
    producerId = -1,
    producerEpoch = -1,
    baseSequence = -1,
    timestamp = 1_700_000_000_000,
  } = batch
  const body = batch.body ?? Buffer.concat(records)
  const covered = Buffer.concat([
    ...[int16(attributes), int32(batch.lastOffsetDelta ?? records.length - 1), int64(timestamp), int64(timestamp)],
    ...[int64(producerId), int16(producerEpoch), int32(baseSequence), int32(batch.recordCount ?? records.length), body],
  ])
  const checksum = crc32c(covered) ^ (batch.hasWrongChecksum === true ? 1 : 0)
  const length = 4 + 1 + 4 + covered.length
  return Buffer.concat([
    int64(0),
    int32(length + (batch.lengthOff ?? 0)),
    int32(0),
    int8(batch.magic ?? 2),
    int32(checksum),
    covered,
  ])
}

const EVENT_HEADERS: readonly Header[] = [
  ['ce_specversion', '1.0'],
  ['ce_id', '1'],
  ['ce_source', '/fuzz'],
  ['ce_type', 'nobody-wants-it'],
]

/** A batch that a broker may accept: hostile headers, values and keys, or bytes that are no records. */
export function hostileBatch(random: Random): Buffer {
  const records = Array.from({ length: 1 + count(random, 500) }, () => hostileRecord(random))
  const attributes = random.chance(0.1) ? random.below(8) : 0
  const content = Buffer.concat(records)
  const compressed = attributes === 1 ? gzipSync(content) : content
  const body = random.chance(0.15) ? mutateBytes(random, compressed) : compressed
  return batchOf({
    records,
    attributes,
    body,
    ...(random.chance(0.05) && { timestamp: random.pick([-1n, 0n, 2n ** 63n - 1n, -(2n ** 63n)]) }),
  })
}

function hostileRecord(random: Random): Buffer {
  const headers: Header[] = random.chance(0.8) ? [...EVENT_HEADERS] : []
  for (let left = count(random, 3000); left > 0; left -= 1) {
    const name = random.chance(0.6)
      ? `ce_${word(random)}`
      : random.chance(0.5)
        ? random.pick(['content-type', '__proto__', 'ce_', 'ce_id', ''])
        : hostileText(random)
    headers.push([name, random.chance(0.9) ? hostileText(random) : null])
  }
  if (random.chance(0.3))
    headers.push(['content-type', random.pick(['application/cloudevents+json', 'application/json', 'text/plain'])])
  const record = recordOf({
    key: random.chance(0.5) ? null : hostileText(random),
    value: random.chance(0.1) ? null : random.chance(0.5) ? '{"name":"a","price":1}' : hostileText(random, 20),
    headers,
  })
  return random.chance(0.05) ? mutateBytes(random, record) : record
}

const headers = (count: number, value = '1'): Header[] =>
  Array.from({ length: count }, (_, index) => [`ce_x${index}`, value])
const withHeaders = (more: readonly Header[]): Batch => ({
  records: [recordOf({ value: '{}', headers: [...EVENT_HEADERS, ...more] })],
})

/** Batches of up to a mebibyte that are chosen to block their reader. */
export const RECORD_SHAPES: readonly Shape<Batch>[] = [
  { name: '5,000 headers', make: () => withHeaders(headers(5000)) },
  { name: '10,000 headers', make: () => withHeaders(headers(10_000)) },
  { name: '50,000 headers', make: () => withHeaders(headers(50_000)) },
  { name: '50,000 headers of one name', make: () => withHeaders(Array.from({ length: 50_000 }, () => ['same', '1'])) },
  { name: '100,000 empty headers', make: () => withHeaders(Array.from({ length: 100_000 }, () => ['', ''])) },
  { name: 'a header of 900 KB', make: () => withHeaders([['ce_x', 'é'.repeat(450_000)]]) },
  { name: 'a header name of 900 KB', make: () => withHeaders([[`ce_${'a'.repeat(900_000)}`, '1']]) },
  {
    name: 'headers that objects inherit',
    make: () =>
      withHeaders([
        ['__proto__', 'a'],
        ['constructor', 'b'],
        ['toString', 'c'],
        ['__proto__', 'd'],
      ]),
  },
  {
    name: 'a header without a value',
    make: () =>
      withHeaders([
        ['ce_x', null],
        ['content-type', null],
      ]),
  },
  {
    name: '50,000 records',
    make: () => ({ records: Array.from({ length: 50_000 }, () => recordOf({ value: null })) }),
  },
  {
    name: 'a record that says it has 2 billion headers',
    make: () => ({
      records: [
        brokenRecord(Buffer.concat([int8(0), varint(0), varint(0), varint(-1), varint(-1), varint(2 ** 31 - 1)])),
      ],
    }),
  },
  {
    name: 'a record that says it has less than no headers',
    make: () => ({
      records: [brokenRecord(Buffer.concat([int8(0), varint(0), varint(0), varint(-1), varint(-1), varint(-5)]))],
    }),
  },
  {
    name: 'a record with a key longer than itself',
    make: () => ({ records: [brokenRecord(Buffer.concat([int8(0), varint(0), varint(0), varint(1_000_000)]))] }),
  },
  { name: 'a record of no bytes', make: () => ({ records: [varint(0)] }) },
  { name: 'a record of a length below zero', make: () => ({ records: [varint(-100)] }) },
  {
    name: 'more records than bytes',
    make: () => ({ records: [recordOf({ value: 'a' })], recordCount: 1_000_000, lastOffsetDelta: 999_999 }),
  },
  {
    name: 'fewer records than bytes',
    make: () => ({ records: [recordOf({ value: 'a' })], body: Buffer.alloc(900_000) }),
  },
  { name: 'gzip that is none', make: () => ({ records: [recordOf({ value: 'a' })], attributes: 1 }) },
  {
    name: 'gzip of 64 MB',
    make: () => ({
      records: [recordOf({ value: 'a' })],
      attributes: 1,
      body: gzipSync(Buffer.alloc(64_000_000), { level: 1 }),
    }),
  },
  ...[2, 3, 4, 5, 6, 7].map((codec) => ({
    name: `codec ${codec}`,
    make: () => ({ records: [recordOf({ value: 'a' })], attributes: codec }),
  })),
]

function brokenRecord(content: Buffer): Buffer {
  return Buffer.concat([varint(content.length), content])
}
