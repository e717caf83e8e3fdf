import { GrowingOutput } from './growing-output.ts'
import { invalid } from './record-cursor.ts'

const MAGIC = 0x184d2204
const VERSION_MASK = 0xc0
const VERSION = 0x40
const HAS_BLOCK_CHECKSUMS = 0x10
const HAS_CONTENT_SIZE = 0x08
const HAS_DICTIONARY = 0x01
const IS_NOT_COMPRESSED = 0x80000000
const MIN_MATCH = 4

/** An LZ4 frame; its checksums are not looked at, because the batch has its own. @throws {ProtocolError} INVALID_RECORD when it is none */
export function decodeLz4(input: Buffer, maxBytes: number): Buffer {
  if (input.length < 7 || input.readUInt32LE(0) !== MAGIC) throw invalid('this is no LZ4 frame')
  const flags = input[4] as number
  if ((flags & VERSION_MASK) !== VERSION || (flags & HAS_DICTIONARY) !== 0) throw invalid('this LZ4 frame is not known')
  const output = new GrowingOutput(maxBytes)
  // Magic bytes, two bytes of flags, maybe the size, and their checksum.
  let at = 6 + ((flags & HAS_CONTENT_SIZE) === 0 ? 0 : 8) + 1
  const checksumBytes = (flags & HAS_BLOCK_CHECKSUMS) === 0 ? 0 : 4
  for (;;) {
    if (at + 4 > input.length) throw invalid('an LZ4 frame has no end')
    const head = input.readUInt32LE(at)
    if (head === 0) return output.result()
    const size = head & ~IS_NOT_COMPRESSED
    at += 4
    if (at + size > input.length) throw invalid('an LZ4 block is longer than what there is')
    if ((head & IS_NOT_COMPRESSED) !== 0) output.literal(input, at, size)
    else decodeBlock(input.subarray(at, at + size), output)
    at += size + checksumBytes
  }
}

/** Sequences: some bytes as they are, then a reference to earlier ones, which the last sequence has not. */
function decodeBlock(input: Buffer, output: GrowingOutput): void {
  let at = 0
  /** A length of 15 goes on in the bytes that follow, as long as they are 255. */
  const lengthOf = (short: number): number => {
    let length = short
    for (let byte = short === 15 ? 255 : 0; byte === 255; length += byte) {
      if (at >= input.length) throw invalid('compressed bytes end too early')
      byte = input[at++] as number
    }
    return length
  }
  while (at < input.length) {
    const token = input[at++] as number
    const literals = lengthOf(token >>> 4)
    output.literal(input, at, literals)
    at += literals
    if (at >= input.length) return
    if (at + 2 > input.length) throw invalid('compressed bytes end too early')
    const distance = input.readUInt16LE(at)
    at += 2
    output.again(distance, lengthOf(token & 15) + MIN_MATCH)
  }
}
