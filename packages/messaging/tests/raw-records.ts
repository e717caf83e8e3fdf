/** A zigzag varint, as records have them. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(32, (BigInt(value) << 1n) ^ (BigInt(value) >> 31n))
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}

/** Bytes after their length; -1 for null. */
function sized(text: string | Buffer | null): Buffer {
  if (text === null) return varint(-1)
  const bytes = Buffer.from(text)
  return Buffer.concat([varint(bytes.length), bytes])
}

/** One record by its parts, each of which can be wrong. */
export interface RawRecord {
  readonly offsetDelta?: number
  readonly value?: string
  readonly headers?: readonly (readonly [string, string | null])[]
  readonly headerCount?: number
  readonly keyLength?: number
  readonly length?: number
}

/** The bytes of a record of format 2. */
export function rawRecord(record: RawRecord): Buffer {
  const { offsetDelta = 0, value = 'v', headers = [] } = record
  const body = Buffer.concat([
    Buffer.from([0, 0]),
    varint(offsetDelta),
    record.keyLength === undefined ? sized(null) : varint(record.keyLength),
    sized(value),
    varint(record.headerCount ?? headers.length),
    ...headers.flatMap(([name, text]) => [sized(name), sized(text)]),
  ])
  return Buffer.concat([varint(record.length ?? body.length), body])
}

/** A batch of format 2 around the bytes of its records; any field may be wrong. It has no checksum. */
export function rawBatch(
  records: Buffer,
  header: {
    readonly baseOffset?: number
    readonly count?: number
    readonly lastOffsetDelta?: number
    readonly attributes?: number
    readonly magic?: number
    readonly length?: number
  } = {},
): Buffer {
  const { baseOffset = 0, count = 1, attributes = 0, magic = 2 } = header
  const batch = Buffer.alloc(61 + records.length)
  batch.writeBigInt64BE(BigInt(baseOffset), 0)
  batch.writeInt32BE(header.length ?? batch.length - 12, 8)
  batch.writeInt8(magic, 16)
  batch.writeInt16BE(attributes, 21)
  batch.writeInt32BE(header.lastOffsetDelta ?? count - 1, 23)
  batch.writeBigInt64BE(-1n, 43)
  batch.writeInt16BE(-1, 51)
  batch.writeInt32BE(-1, 53)
  batch.writeInt32BE(count, 57)
  records.copy(batch, 61)
  return batch
}
