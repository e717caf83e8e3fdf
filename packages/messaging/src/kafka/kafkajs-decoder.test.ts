import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { KafkaMessage } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import '@taproom/kafkajs'
import { rawBatch, rawRecord } from '../../tests/raw-records.ts'

const require = createRequire(import.meta.url)
const Decoder = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => object
const decodeMessages = require('kafkajs/src/protocol/requests/fetch/v4/decodeMessages') as (
  decoder: object,
) => Promise<readonly KafkaMessage[]>

/** What kafkajs makes of the records of one partition in an answer to a fetch. */
async function decode(...batches: readonly Buffer[]): Promise<readonly KafkaMessage[]> {
  const records = Buffer.concat(batches)
  const size = Buffer.alloc(4)
  size.writeInt32BE(records.length)
  return await decodeMessages(new Decoder(Buffer.concat([size, records])))
}

/** Offsets, with what could not be decoded marked. */
const outline = (messages: readonly KafkaMessage[]) =>
  messages.map(({ offset, undecodable }) => (undecodable === undefined ? offset : `${offset} undecodable`))

const good = (baseOffset: number) => rawBatch(rawRecord({}), { baseOffset })

describe('headers', () => {
  it('are read whatever their names are', async () => {
    const headers = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a', 'a'].map(
      (name, index) => [name, String(index)] as const,
    )
    const [message] = await decode(rawBatch(rawRecord({ headers })))
    const read = Object.entries(message?.headers ?? {}).map(([name, value]) => [name, String(value)])
    expect(read).toEqual([
      ['__proto__', '0'],
      ['constructor', '1'],
      ['toString', '2'],
      ['hasOwnProperty', '3'],
      ['a', '4,5'],
    ])
    expect(Object.getPrototypeOf(message?.headers)).toBeNull()
  })

  it.each([1000, 1001])('are read up to a number of 1000 (%d)', async (count) => {
    const headers = Array.from({ length: count }, (_, index) => [`h${index}`, 'x'] as const)
    const [message] = await decode(rawBatch(rawRecord({ headers })))
    expect(message?.undecodable === undefined).toBe(count <= 1000)
    expect(Object.keys(message?.headers ?? {})).toHaveLength(count <= 1000 ? count : 0)
    expect(String(message?.value)).toBe('v')
  })
})

describe('a record that cannot be decoded', () => {
  it.each([
    ['more headers than bytes', { headerCount: 2 ** 30 }],
    ['fewer than no headers', { headerCount: -2 }],
    ['a key longer than the record', { keyLength: 100_000 }],
    ['a key of a length below none', { keyLength: -30 }],
    ['an offset outside its batch', { offsetDelta: 1_000_000 }],
    ['an offset before its batch', { offsetDelta: -1 }],
  ])('is handed on as such, and its neighbours as they are: %s', async (_case, lie) => {
    const records = [rawRecord({}), rawRecord({ offsetDelta: 1, ...lie }), rawRecord({ offsetDelta: 2 })]
    const batch = rawBatch(Buffer.concat(records), { baseOffset: 5, count: 3 })
    expect(outline(await decode(good(4), batch, good(8)))).toEqual(['4', '5', '6 undecodable', '7', '8'])
  })
})

describe('a batch whose offsets do not ascend', () => {
  it.each([
    ['back to front', [1, 0], ['6 undecodable']],
    ['three, back to front', [2, 1, 0], ['7 undecodable']],
    ['twice the same', [0, 0], ['5', '6 undecodable']],
    ['back in the middle', [0, 2, 1, 3], ['5', '7', '8 undecodable']],
  ])('never leads its reader back: %s', async (_case, deltas, expected) => {
    const records = Buffer.concat(deltas.map((offsetDelta) => rawRecord({ offsetDelta })))
    const next = 5 + deltas.length
    const batch = rawBatch(records, { baseOffset: 5, count: deltas.length })
    expect(outline(await decode(batch, good(next)))).toEqual([...expected, String(next)])
  })
})

describe('a batch that cannot be decoded', () => {
  const two = Buffer.concat([rawRecord({}), rawRecord({ offsetDelta: 1 })])
  it.each([
    ['an unknown compression', rawBatch(two, { baseOffset: 5, count: 2, attributes: 7 })],
    ['bytes that are no gzip', rawBatch(two, { baseOffset: 5, count: 2, attributes: 1 })],
    ['bytes that are no Snappy', rawBatch(two, { baseOffset: 5, count: 2, attributes: 2 })],
    ['bytes that are no LZ4', rawBatch(two, { baseOffset: 5, count: 2, attributes: 3 })],
    ['bytes that are no Zstandard', rawBatch(two, { baseOffset: 5, count: 2, attributes: 4 })],
    ['more records than bytes', rawBatch(two, { baseOffset: 5, count: 2 ** 31 - 1, lastOffsetDelta: 1 })],
    ['a negative number of records', rawBatch(two, { baseOffset: 5, count: -1, lastOffsetDelta: 1 })],
    [
      'more than 16 MiB when decompressed',
      rawBatch(gzipSync(Buffer.alloc(17 * 1024 * 1024)), { baseOffset: 5, count: 2, attributes: 1 }),
    ],
  ])('is one record at its last offset, with its bytes: %s', async (_case, batch) => {
    const messages = await decode(good(4), batch, good(7))
    expect(outline(messages)).toEqual(['4', '6 undecodable', '7'])
    expect(messages[1]?.value).toEqual(batch)
    expect(messages[1]?.undecodable).toMatchObject({ error: expect.any(Error), firstOffset: '5' })
  })

  it.each([
    ['as its header says', { count: 50 }, 50],
    ['not more than it has offsets', { count: 2 ** 31 - 1, lastOffsetDelta: 9 }, 10],
    ['fewer where compaction has removed some', { count: 3, lastOffsetDelta: 9 }, 3],
    ['one at least', { count: -1, lastOffsetDelta: 9 }, 1],
  ])('counts for its records: %s', async (_case, header, records) => {
    const [message] = await decode(rawBatch(Buffer.from('no records'), { baseOffset: 5, attributes: 4, ...header }))
    expect(message?.undecodable).toMatchObject({ records, firstOffset: '5' })
  })

  it('is one record at its first offset when its header is of no known format', async () => {
    const unknown = rawBatch(two, { baseOffset: 5, count: 2, magic: 3 })
    expect(outline(await decode(unknown, good(7)))).toEqual(['5 undecodable', '7'])
  })

  it('ends what is read when its length cannot be', async () => {
    for (const length of [-12, 0, 48, -(2 ** 31)]) {
      expect(outline(await decode(good(4), rawBatch(two, { baseOffset: 5, length })))).toEqual(['4', '5 undecodable'])
    }
  })

  it('keeps what came before a record of an impossible length', async () => {
    const records = Buffer.concat([rawRecord({}), rawRecord({ length: 100_000 }), Buffer.alloc(7)])
    const messages = await decode(rawBatch(records, { baseOffset: 5, count: 3, lastOffsetDelta: 8 }))
    expect(outline(messages)).toEqual(['5', '13 undecodable'])
    expect(messages[1]?.undecodable).toMatchObject({ records: 2, firstOffset: '6' })
  })
})

describe('a batch', () => {
  it('of 140,000 records is decoded, and no more than 50,000 before the next', async () => {
    const many = (baseOffset: number, count: number) => {
      const records = Array.from({ length: count }, (_, offsetDelta) => rawRecord({ offsetDelta, value: '' }))
      return rawBatch(Buffer.concat(records), { baseOffset, count })
    }
    const messages = await decode(many(0, 140_000), good(140_000))
    expect(messages).toHaveLength(140_000)
    expect(messages.at(-1)?.offset).toBe('139999')
  })

  it('from which everything was removed moves the reader on', async () => {
    const empty = rawBatch(Buffer.alloc(0), { baseOffset: 5, count: 0, lastOffsetDelta: 3 })
    expect(await decode(empty)).toMatchObject([{ offset: '8', isControlRecord: true }])
  })
})
