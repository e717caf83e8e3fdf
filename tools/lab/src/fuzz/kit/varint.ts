/** A number in as few bytes as it needs, seven bits in each. */
export function uvarint(value: number): Buffer {
  const written: number[] = []
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) written.push((left % 0x80) | 0x80)
  return Buffer.from([...written, left])
}

/** A zigzag varint: few bytes for small numbers, the sign in the lowest bit. */
export function varint(value: number): Buffer {
  return uvarint(value >= 0 ? value * 2 : -value * 2 - 1)
}
