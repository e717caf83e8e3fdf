import { buildBatch } from '../src/records/record-batch.ts'

/** A zigzag varint. */
export function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(rest)
  return Buffer.from(bytes)
}

/** A record by its parts; a part given replaces what would be true. */
export function makeRecord(
  parts: {
    readonly timestampDelta?: number
    readonly offsetDelta?: number
    readonly keyLength?: number
    readonly value?: Buffer
    readonly valueLength?: number
    readonly headers?: readonly Buffer[]
    readonly headerCount?: number
    readonly length?: number
  } = {},
): Buffer {
  const { value = Buffer.from('value'), headers = [] } = parts
  const body = Buffer.concat([
    Buffer.from([0]),
    varint(parts.timestampDelta ?? 0),
    varint(parts.offsetDelta ?? 0),
    varint(parts.keyLength ?? -1),
    varint(parts.valueLength ?? value.length),
    value,
    varint(parts.headerCount ?? headers.length),
    ...headers,
  ])
  return Buffer.concat([varint(parts.length ?? body.length), body])
}

/** A batch of records, the last of which has a value of `bytes` bytes; or around the given `records`, whatever they are. */
export function makeBatch(
  overrides: Partial<{
    timestamp: number
    producerId: number
    producerEpoch: number
    baseSequence: number
    recordCount: number
    transactional: boolean
    attributes: number
    bytes: number
    records: Buffer
  }> = {},
): Buffer {
  const { recordCount = 1, bytes = 3 } = overrides
  const makeRecords = () =>
    Array.from({ length: recordCount }, (_, offsetDelta) =>
      makeRecord({ offsetDelta, value: Buffer.alloc(offsetDelta === recordCount - 1 ? bytes : 0, 1) }),
    )
  return buildBatch({
    attributes: (overrides.attributes ?? 0) | (overrides.transactional ? 0x10 : 0),
    timestamp: overrides.timestamp ?? 1000,
    producerId: overrides.producerId ?? -1,
    producerEpoch: overrides.producerEpoch ?? -1,
    baseSequence: overrides.baseSequence ?? -1,
    recordCount,
    records: overrides.records ?? Buffer.concat(makeRecords()),
  })
}
