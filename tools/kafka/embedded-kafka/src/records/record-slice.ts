import { RecordCursor } from './record-cursor.ts'

/** One record within the uncompressed records of a batch. */
export interface RecordSlice {
  /** Where its length begins. */
  readonly start: number
  readonly end: number
  readonly timestampDelta: number
  /** Where the part behind the timestamp begins. */
  readonly restAt: number
  readonly offsetDelta: number
  readonly key: Buffer | null
  /** A record without value deletes its key. */
  readonly hasValue: boolean
}

/**
 * The records of a batch, in order.
 * @throws {ProtocolError} INVALID_RECORD when one is longer than what is there
 */
export function* recordSlices(records: Buffer, count: number): Generator<RecordSlice> {
  const cursor = new RecordCursor(records, 0)
  for (let index = 0; index < count; index += 1) {
    const start = cursor.at
    const length = cursor.varint()
    const end = cursor.at + length
    cursor.skip(1)
    const timestampDelta = cursor.varint()
    const restAt = cursor.at
    const offsetDelta = cursor.varint()
    const key = cursor.takeNullable()
    const hasValue = cursor.varint() !== -1
    cursor.skip(end - cursor.at)
    yield { start, end, timestampDelta, restAt, offsetDelta, key, hasValue }
  }
}

/** Writes a zigzag varint, exact up to ±2^52, and returns where it ends. */
export function writeVarint(output: Buffer, at: number, value: number): number {
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  let end = at
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) output[end++] = (rest % 0x80) | 0x80
  output[end++] = rest
  return end
}

export const MAX_VARINT_BYTES = 10

/** Some of the records of a batch, their timestamps `shiftMs` further from the base timestamp. */
export function joinRecords(records: Buffer, slices: readonly RecordSlice[], shiftMs: number): Buffer {
  if (shiftMs === 0) return Buffer.concat(slices.map(({ start, end }) => records.subarray(start, end)))
  const output = Buffer.allocUnsafe(records.length + slices.length * 2 * MAX_VARINT_BYTES)
  const delta = Buffer.alloc(MAX_VARINT_BYTES)
  let at = 0
  for (const { timestampDelta, restAt, end } of slices) {
    const deltaBytes = writeVarint(delta, 0, timestampDelta + shiftMs)
    at = writeVarint(output, at, 1 + deltaBytes + end - restAt)
    // The attributes, which nobody uses.
    output[at++] = 0
    at += delta.copy(output, at, 0, deltaBytes)
    at += records.copy(output, at, restAt, end)
  }
  return output.subarray(0, at)
}
