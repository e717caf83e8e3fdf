/** Writers of the parts of Kafka's frames and records. */

export const int8 = (value: number) => Buffer.from([value & 0xff])

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE((value << 16) >> 16)
  return bytes
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value | 0)
  return bytes
}

export function int64(value: bigint | number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(value)))
  return bytes
}

/** A text after its length in two bytes; null is a length of -1. */
export function string(value: string | null): Buffer {
  if (value === null) return int16(-1)
  const bytes = Buffer.from(value)
  return Buffer.concat([int16(bytes.length), bytes])
}

/** Bytes after their length in four bytes; null is a length of -1. */
export function bytes(value: Buffer | null): Buffer {
  return value === null ? int32(-1) : Buffer.concat([int32(value.length), value])
}

export function array(items: readonly Buffer[]): Buffer {
  return Buffer.concat([int32(items.length), ...items])
}

/** A zigzag varint: few bytes for small numbers, the sign in the lowest bit. */
export function varint(value: number): Buffer {
  return uvarint(value >= 0 ? value * 2 : -value * 2 - 1)
}

export function uvarint(value: number): Buffer {
  const written: number[] = []
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) written.push((left % 0x80) | 0x80)
  return Buffer.from([...written, left])
}

/** Bytes after their length as a varint; null is a length of -1. */
export function varbytes(value: Buffer | string | null): Buffer {
  if (value === null) return varint(-1)
  const content = Buffer.from(value as string)
  return Buffer.concat([varint(content.length), content])
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value
})

/** CRC-32C, the checksum of record batches. */
export function crc32c(content: Buffer): number {
  let value = 0xffff_ffff
  for (const byte of content) value = (CRC_TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffff_ffff) >>> 0
}
