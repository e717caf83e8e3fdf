const POLYNOMIAL = 0x82f63b78
const SLICES = 16

/** Lookup tables of 256 values each, one behind the other, for sixteen bytes at a time ("slicing by 16"); read-only after this line. */
const table = buildTable()

function buildTable(): Int32Array {
  const all = new Int32Array(SLICES * 256)
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
    all[byte] = value
  }
  for (let at = 256; at < all.length; at += 1) {
    const previous = all[at - 256] as number
    all[at] = (previous >>> 8) ^ (all[previous & 0xff] as number)
  }
  return all
}

/** The Castagnoli checksum that guards record batches (node:zlib has only the IEEE one). */
export function crc32c(bytes: Buffer): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let crc = -1
  let at = 0
  for (; at + SLICES <= bytes.length; at += SLICES) {
    crc =
      ofFour(view.getInt32(at, true) ^ crc, 15) ^
      ofFour(view.getInt32(at + 4, true), 11) ^
      ofFour(view.getInt32(at + 8, true), 7) ^
      ofFour(view.getInt32(at + 12, true), 3)
  }
  for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ (table[(crc ^ view.getUint8(at)) & 0xff] as number)
  return ~crc >>> 0
}

/** The share of four bytes, the first of which is looked up in the table of number `slice`. */
function ofFour(bytes: number, slice: number): number {
  return (
    (table[(slice << 8) | (bytes & 0xff)] as number) ^
    (table[((slice - 1) << 8) | ((bytes >>> 8) & 0xff)] as number) ^
    (table[((slice - 2) << 8) | ((bytes >>> 16) & 0xff)] as number) ^
    (table[((slice - 3) << 8) | (bytes >>> 24)] as number)
  )
}
