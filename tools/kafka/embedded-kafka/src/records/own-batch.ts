import { buildBatch } from './record-batch.ts'
import { MAX_VARINT_BYTES, writeVarint } from './record-slice.ts'

/** A record that the broker writes itself; without value it deletes its key. */
export interface OwnRecord {
  readonly key: Buffer
  readonly value: Buffer | null
}

/** Of a record without key and value: attributes, the delta of the timestamp and the number of headers, and four varints. */
const MOST_BYTES = 3 + 4 * MAX_VARINT_BYTES

/** A batch of the broker's own records, all of which have the same time. */
export function buildOwnBatch(own: readonly OwnRecord[], timestamp: number): Buffer {
  const most = own.reduce((sum, { key, value }) => sum + MOST_BYTES + key.length + (value?.length ?? 0), 0)
  const records = Buffer.alloc(most)
  let at = 0
  for (const [index, record] of own.entries()) at = writeRecord(records, at, record, index)
  return buildBatch({
    attributes: 0,
    timestamp,
    producerId: -1,
    producerEpoch: -1,
    baseSequence: -1,
    recordCount: own.length,
    records: records.subarray(0, at),
  })
}

/** Writes into zeros; returns where it ends. */
function writeRecord(output: Buffer, start: number, { key, value }: OwnRecord, offsetDelta: number): number {
  const bodyBytes = 3 + varintBytes(offsetDelta) + sizedBytes(key) + sizedBytes(value)
  // Attributes and the delta of the timestamp are 0.
  let at = writeVarint(output, start, bodyBytes) + 2
  at = writeVarint(output, at, offsetDelta)
  for (const part of [key, value]) {
    at = writeVarint(output, at, part?.length ?? -1)
    at += part?.copy(output, at) ?? 0
  }
  // There are 0 headers.
  return at + 1
}

const sizedBytes = (part: Buffer | null): number => (part === null ? 1 : varintBytes(part.length) + part.length)

/** How long the varint of a number from 0 on is: a bit for the sign, seven in each byte. */
function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value * 2; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes += 1
  return bytes
}
