const POLYNOMIAL = 0x82f63b78
const SLICES = 8

/** Lookup tables for eight bytes at a time ("slicing by 8"); read-only after this line. */
const tables = buildTables()

function buildTables(): readonly Uint32Array[] {
  const all = Array.from({ length: SLICES }, () => new Uint32Array(256))
  const [first] = all
  if (!first) return all
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
    first[byte] = value
  }
  for (let slice = 1; slice < SLICES; slice += 1) {
    const previous = all[slice - 1]
    const table = all[slice]
    if (!previous || !table) break
    for (let byte = 0; byte < 256; byte += 1) {
      const value = previous[byte] ?? 0
      table[byte] = (value >>> 8) ^ (first[value & 0xff] ?? 0)
    }
  }
  return all
}

/** The Castagnoli checksum that guards record batches (node:zlib has only the IEEE one). */
export function crc32c(bytes: Buffer): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let crc = -1
  let at = 0
  for (; at + 8 <= bytes.length; at += 8) {
    const low = view.getInt32(at, true) ^ crc
    const high = view.getInt32(at + 4, true)
    crc =
      (t7[low & 0xff] as number) ^
      (t6[(low >>> 8) & 0xff] as number) ^
      (t5[(low >>> 16) & 0xff] as number) ^
      (t4[low >>> 24] as number) ^
      (t3[high & 0xff] as number) ^
      (t2[(high >>> 8) & 0xff] as number) ^
      (t1[(high >>> 16) & 0xff] as number) ^
      (t0[high >>> 24] as number)
  }
  for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ (t0[(crc ^ view.getUint8(at)) & 0xff] as number)
  return ~crc >>> 0
}
