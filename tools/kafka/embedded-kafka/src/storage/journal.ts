import { crc32 } from 'node:zlib'
import type { ByteFile } from './byte-file.ts'

const PREFIX_BYTES = 8
/** How every entry with changes begins. It cannot occur inside an entry: the quotes would be escaped there. */
const ENTRY_START = '[{"table":'

/** Length, checksum, body. */
function frame(body: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + body.length)
  framed.writeUInt32BE(body.length, 0)
  framed.writeUInt32BE(crc32(body), 4)
  body.copy(framed, PREFIX_BYTES)
  return framed
}

/** The entry at `at` and where it ends; undefined when it is damaged or cut off. */
function entryAt(bytes: Buffer, at: number): { readonly value: unknown; readonly end: number } | undefined {
  if (at < 0 || at + PREFIX_BYTES > bytes.length) return undefined
  const end = at + PREFIX_BYTES + bytes.readUInt32BE(at)
  if (end > bytes.length) return undefined
  const body = bytes.subarray(at + PREFIX_BYTES, end)
  if (crc32(body) !== bytes.readUInt32BE(at + 4)) return undefined
  try {
    return { value: JSON.parse(body.toString('utf8')), end }
  } catch {
    // The checksum is right but the text is not JSON: this broker did not write it.
    return undefined
  }
}

/** Where the next entry after `at` begins that is not damaged. */
function nextEntry(bytes: Buffer, at: number): number | undefined {
  let found = bytes.indexOf(ENTRY_START, at + PREFIX_BYTES + 1)
  while (found >= 0) {
    if (entryAt(bytes, found - PREFIX_BYTES)) return found - PREFIX_BYTES
    found = bytes.indexOf(ENTRY_START, found + 1)
  }
  return undefined
}

/**
 * Reads all entries of a journal and cuts off an incomplete entry at the end, which is left by a kill. Entries with other damage are
 * skipped; `onDamage` is called once, before any of them is cut off.
 */
export function recoverJournal(
  file: ByteFile,
  onEntry: (entry: unknown) => void,
  onDamage: () => void = () => {},
): void {
  const bytes = file.read(0, file.size)
  let at = 0
  let isDamaged = false
  for (;;) {
    const entry = entryAt(bytes, at)
    if (entry) {
      onEntry(entry.value)
      at = entry.end
      continue
    }
    const next = nextEntry(bytes, at)
    const isWhole = at + PREFIX_BYTES <= bytes.length && at + PREFIX_BYTES + bytes.readUInt32BE(at) <= bytes.length
    if (!isDamaged && (next !== undefined || isWhole)) {
      isDamaged = true
      onDamage()
    }
    if (next === undefined) break
    at = next
  }
  if (at < file.size) file.truncate(at)
}

/** After a kill the entry is there completely or not at all. */
export function appendEntry(file: ByteFile, entry: unknown): void {
  file.append(frame(Buffer.from(JSON.stringify(entry), 'utf8')))
}
