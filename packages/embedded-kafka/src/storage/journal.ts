import { crc32 } from 'node:zlib'
import type { ByteFile } from './byte-file.ts'

const PREFIX_BYTES = 8

/** Frames one entry: length, checksum, body. */
function frame(body: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + body.length)
  framed.writeUInt32BE(body.length, 0)
  framed.writeUInt32BE(crc32(body), 4)
  body.copy(framed, PREFIX_BYTES)
  return framed
}

/** Reads every whole entry of a journal, cutting what a kill left half-written behind them. */
export function recoverJournal(file: ByteFile, onEntry: (entry: unknown) => void): void {
  const bytes = file.read(0, file.size)
  let at = 0
  while (at + PREFIX_BYTES <= bytes.length) {
    const end = at + PREFIX_BYTES + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    const body = bytes.subarray(at + PREFIX_BYTES, end)
    if (crc32(body) !== bytes.readUInt32BE(at + 4)) break
    onEntry(JSON.parse(body.toString('utf8')))
    at = end
  }
  if (at < file.size) file.truncate(at)
}

/** Appends one entry; it is there wholly or not at all after a kill. */
export function appendEntry(file: ByteFile, entry: unknown): void {
  file.append(frame(Buffer.from(JSON.stringify(entry), 'utf8')))
}
