import { gzipSync, zstdCompressSync } from 'node:zlib'
import { type BatchContent, buildBatch } from '@taproom/embedded-kafka/record-batch'
import { encodeLz4 } from '@taproom/kafkajs/lz4'
import { encodeSnappy } from '@taproom/kafkajs/snappy'
import type { Random } from '../../harness/random.ts'
import type { Shape } from '../kit/shapes.ts'
import { count, hostileText, mutateBytes, several, word } from '../kit/text.ts'
import { varint } from '../kit/varint.ts'

type Header = readonly [name: string, value: string | null]

/** A record of format 2. */
export function recordOf(value: string | null, headers: readonly Header[] = [], key: string | null = null): Buffer {
  return recordAround([varbytes(key), varbytes(value), varint(headers.length), ...headers.flat().map(varbytes)])
}

/** Bytes after their length as a varint; null is a length of -1. */
function varbytes(value: string | null): Buffer {
  if (value === null) return varint(-1)
  const content = Buffer.from(value)
  return Buffer.concat([varint(content.length), content])
}

/** A record without attributes, of the batch's time and offset, around what may not be its parts. */
function recordAround(parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from([0, 0, 0]), ...parts])
  return Buffer.concat([varint(content.length), content])
}

/** A batch of format 2 with a right checksum; what is left out is as Kafka wants it. */
export function batchOf(records: readonly Buffer[], content: Partial<BatchContent> = {}): Buffer {
  return buildBatch({
    attributes: 0,
    timestamp: 1_700_000_000_000,
    producerId: -1,
    producerEpoch: -1,
    baseSequence: -1,
    recordCount: records.length,
    records: Buffer.concat(records),
    ...content,
  })
}

const EVENT_HEADERS: readonly Header[] = [
  ['ce_specversion', '1.0'],
  ['ce_id', '1'],
  ['ce_source', '/fuzz'],
  ['ce_type', 'nobody-wants-it'],
]

/** Indexed by the lowest bits of a batch's attributes. */
const COMPRESSIONS = [undefined, gzipSync, encodeSnappy, encodeLz4, zstdCompressSync] as const

/** A batch that a broker may accept: hostile headers, values and keys, or bytes that are no records. */
export function hostileBatch(random: Random): Buffer {
  const records = Array.from({ length: 1 + count(random, 500) }, () => hostileRecord(random))
  const attributes = random.chance(0.3) ? random.below(8) : 0
  const bytes = Buffer.concat(records)
  const compressed = COMPRESSIONS[attributes]?.(bytes) ?? bytes
  return batchOf(records, {
    attributes,
    records: random.chance(0.15) ? mutateBytes(random, compressed) : compressed,
    ...(random.chance(0.05) && { timestamp: random.pick([-1n, 0n, 2n ** 63n - 1n, -(2n ** 63n)]) }),
  })
}

function hostileRecord(random: Random): Buffer {
  const headers: Header[] = random.chance(0.8) ? [...EVENT_HEADERS] : []
  headers.push(...several(random, 3000, () => hostileHeader(random)))
  if (random.chance(0.3))
    headers.push(['content-type', random.pick(['application/cloudevents+json', 'application/json', 'text/plain'])])
  const key = random.chance(0.5) ? null : hostileText(random)
  const value = random.chance(0.5) ? '{"name":"a","price":1}' : hostileText(random, 20)
  const record = recordOf(random.chance(0.1) ? null : value, headers, key)
  return random.chance(0.05) ? mutateBytes(random, record) : record
}

function hostileHeader(random: Random): Header {
  const other = () =>
    random.chance(0.5) ? random.pick(['content-type', '__proto__', 'ce_', 'ce_id', '']) : hostileText(random)
  const name = random.chance(0.6) ? `ce_${word(random)}` : other()
  return [name, random.chance(0.9) ? hostileText(random) : null]
}

const withHeaders = (headers: readonly Header[]) => batchOf([recordOf('{}', [...EVENT_HEADERS, ...headers])])
const withMany = (length: number, header: (index: number) => Header) =>
  withHeaders(Array.from({ length }, (_, index) => header(index)))
const numbered = (index: number): Header => [`ce_x${index}`, '1']
/** A record whose lengths and counts from the key's on are these. */
const withLengths = (...lengths: readonly number[]) => batchOf([recordAround(lengths.map(varint))])
const ONE = [recordOf('a')]

/** Batches of up to a mebibyte that are chosen to block their reader. */
export const RECORD_SHAPES: readonly Shape<Buffer>[] = Object.entries({
  '5,000 headers': () => withMany(5000, numbered),
  '10,000 headers': () => withMany(10_000, numbered),
  '50,000 headers': () => withMany(50_000, numbered),
  '50,000 headers of one name': () => withMany(50_000, () => ['same', '1']),
  '100,000 empty headers': () => withMany(100_000, () => ['', '']),
  'a header of 900 KB': () => withHeaders([['ce_x', 'é'.repeat(450_000)]]),
  'a header name of 900 KB': () => withHeaders([[`ce_${'a'.repeat(900_000)}`, '1']]),
  'headers that objects inherit': () =>
    withHeaders(['__proto__', 'constructor', 'toString', '__proto__'].map((name, index) => [name, String(index)])),
  'a header without a value': () => withHeaders(['ce_x', 'content-type'].map((name) => [name, null])),
  '50,000 records': () => batchOf(Array.from({ length: 50_000 }, () => recordOf(null))),
  'a record that says it has 2 billion headers': () => withLengths(-1, -1, 2 ** 31 - 1),
  'a record that says it has less than no headers': () => withLengths(-1, -1, -5),
  'a record with a key longer than itself': () => withLengths(1_000_000),
  'a record of no bytes': () => batchOf([varint(0)]),
  'a record of a length below zero': () => batchOf([varint(-100)]),
  'more records than bytes': () => batchOf(ONE, { recordCount: 1_000_000 }),
  'fewer records than bytes': () => batchOf(ONE, { records: Buffer.alloc(900_000) }),
  'gzip that is none': () => batchOf(ONE, { attributes: 1 }),
  'gzip of 64 MB': () => batchOf(ONE, { attributes: 1, records: gzipSync(Buffer.alloc(64_000_000), { level: 1 }) }),
  ...Object.fromEntries(
    [2, 3, 4, 5, 6, 7].map((codec) => [`codec ${codec}`, () => batchOf(ONE, { attributes: codec })]),
  ),
})
