import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'

const require = createRequire(import.meta.url)
const produceRequest = require('kafkajs/src/protocol/requests/produce/v7/request.js')
const groupMessagesPerPartition = require('kafkajs/src/producer/groupMessagesPerPartition.js')
const GZIP = 1

type Message = Readonly<Record<string, unknown>>

async function encoded(messages: readonly Message[], compression = 0): Promise<Buffer> {
  const data = { topic: 'beers', partitions: [{ partition: 2, firstSequence: 7, messages }] }
  const request = produceRequest({
    acks: -1,
    timeout: 1000,
    producerId: '5',
    producerEpoch: 3,
    compression,
    topicData: [data],
  })
  return (await request.encode()).buffer
}

const AT = 1_700_000_000_000
const OF_ALL_KINDS: readonly Message[] = [
  { key: null, value: null, timestamp: AT },
  { key: '', value: Buffer.alloc(0), timestamp: AT, headers: {} },
  { key: 'key', value: 'häl\ud800lo', timestamp: AT + 1, headers: { one: 'x', 'k€y': Buffer.from('value'), none: [] } },
  {
    key: Buffer.from('key'),
    value: Buffer.alloc(70_000, 'v'),
    timestamp: AT + 2 ** 31,
    headers: { many: ['a', Buffer.from('b')] },
  },
  { value: 'v'.repeat(64), timestamp: AT + 2 ** 40, headers: { long: 'h'.repeat(8192) } },
]

afterEach(() => void vi.restoreAllMocks())

describe('a request with records', () => {
  it('has the same bytes as kafkajs 2.2.4 makes', async () => {
    const hash = createHash('sha256').update(await encoded(OF_ALL_KINDS))
    expect(hash.digest('hex')).toBe('27ee10b62067a15f1052d3c478e17d9c2b17a48e5c2f780dbe32bbeae3659e62')
  })

  it('has the same records when they are compressed', async () => {
    const [plain, compressed] = [await encoded(OF_ALL_KINDS), await encoded(OF_ALL_KINDS, GZIP)]
    // What comes before them is as long in both.
    const recordsAt = compressed.indexOf('\x1f\x8b', 'latin1')
    expect(gunzipSync(compressed.subarray(recordsAt))).toEqual(plain.subarray(recordsAt))
  })

  it('may have headers without a value', async () => {
    const bytes = await encoded([{ value: 'v', timestamp: AT, headers: { 'no-value': null } }])
    // One header: its name of 8 bytes, and -1 for the length of its value.
    expect(bytes.subarray(-11)).toEqual(Buffer.from('\x02\x10no-value\x01', 'latin1'))
  })

  it('has the bytes of what is given as bytes, of whatever kind', async () => {
    const kinds = (make: (text: string) => unknown) => [
      {
        key: make('key'),
        value: make('value'),
        timestamp: AT,
        headers: { one: make('1'), many: [make('2'), make('3')] },
      },
    ]
    const expected = await encoded(kinds(Buffer.from))
    const within = (text: string) => new Uint8Array(Buffer.from(`--${text}-`)).subarray(2, 2 + text.length)
    expect(await encoded(kinds(within))).toEqual(expected)
    expect(await encoded(kinds((text) => new TextEncoder().encode(text).buffer))).toEqual(expected)
  })

  it('takes memory by the batch, not by the record or header', async () => {
    const allocations = async (count: number) => {
      const allocated = [vi.spyOn(Buffer, 'alloc'), vi.spyOn(Buffer, 'allocUnsafe'), vi.spyOn(Buffer, 'from')]
      await encoded(Array.from({ length: count }, () => ({ value: 'v', timestamp: AT, headers: { a: '1', b: '2' } })))
      const calls = allocated.reduce((sum, { mock }) => sum + mock.calls.length, 0)
      vi.restoreAllMocks()
      return calls
    }
    expect(await allocations(2000)).toBe(await allocations(1000))
  })
})

it('messages are grouped by partition in their order', () => {
  const messages = Array.from({ length: 6 }, (_, number) => ({ number }))
  const partitioner = ({ message }: { message: { number: number } }) => message.number % 2
  expect(groupMessagesPerPartition({ topic: 't', partitionMetadata: [{}], messages, partitioner })).toEqual({
    0: [{ number: 0 }, { number: 2 }, { number: 4 }],
    1: [{ number: 1 }, { number: 3 }, { number: 5 }],
  })
})
