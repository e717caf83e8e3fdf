import type protobuf from 'protobufjs'

/** Texts that are kept; a power of two. */
const SLOTS = 4096
/** Longer ones are seldom the same. */
const MAX_BYTES = 64

interface Slot {
  readonly bytes: Uint8Array
  readonly text: string
}

/** Texts by their bytes, each in memory once: names of attributes, and most of their values, are the same in span after span. */
export class KnownTexts {
  readonly #slots: (Slot | undefined)[] = new Array(SLOTS)

  /** Reads a text; a new one takes the slot of another. */
  read(read: protobuf.Reader): string {
    const start = read.pos
    const size = read.uint32()
    const from = read.pos
    const end = from + size
    if (size > MAX_BYTES || end > read.len) {
      read.pos = start
      return read.string()
    }
    const { buf } = read
    let hash = size
    for (let at = from; at < end; at += 1) hash = (Math.imul(hash, 31) + (buf[at] as number)) | 0
    const place = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    const slot = this.#slots[place]
    if (slot?.bytes.length === size && isSame(slot.bytes, buf, from)) {
      read.pos = end
      return slot.text
    }
    read.pos = start
    const text = read.string()
    this.#slots[place] = { bytes: Uint8Array.prototype.slice.call(buf, from, end), text }
    return text
  }
}

function isSame(bytes: Uint8Array, buf: Uint8Array, from: number): boolean {
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] !== buf[from + at]) return false
  return true
}
