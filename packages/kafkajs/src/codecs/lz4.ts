import { GrowingOutput } from './growing-output.ts'
import { atOnce } from './steps.ts'

// No package is used for LZ4: lz4js reads beyond a block with a wrong length and puts no bound on its output; others need a native addon.

const MAGIC = 0x184d2204
const VERSION_MASK = 0xc0
const VERSION = 0x40
const HAS_BLOCK_CHECKSUMS = 0x10
const HAS_CONTENT_SIZE = 0x08
const HAS_DICTIONARY = 0x01
const IS_NOT_COMPRESSED = 0x80000000
const MIN_MATCH = 4

/** A frame header as Java's client and librdkafka write it: independent blocks of 64 KiB without checksums. The last byte is its checksum. */
const FRAME_HEADER = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82])
const FRAME_END = Buffer.alloc(4)
const BLOCK_BYTES = 65_536
/** Rules of the LZ4 block format: the last five bytes are literals, and the last match begins at least twelve bytes before the end. */
const LAST_LITERALS = 5
const LAST_MATCH = 12
const HASH_BITS = 13
/** After each 64 misses the encoder skips one more byte per step: incompressible bytes cost little. */
const MISSES_PER_STEP = 64

/**
 * Decompresses an LZ4 frame. Its checksums are not verified, because the record batch has its own.
 * @throws {RangeError} when the bytes are not an LZ4 frame, or the output has more than `maxBytes`
 */
export function decodeLz4(input: Buffer, maxBytes: number): Buffer {
  return atOnce(lz4Steps(input, maxBytes))
}

/** As decodeLz4, in steps. */
export function* lz4Steps(input: Buffer, maxBytes: number): Generator<void, Buffer> {
  if (input.length < 7 || input.readUInt32LE(0) !== MAGIC) throw new RangeError('this is no LZ4 frame')
  const flags = input[4] as number
  if ((flags & VERSION_MASK) !== VERSION || (flags & HAS_DICTIONARY) !== 0) {
    throw new RangeError('this LZ4 frame is not known')
  }
  const output = new GrowingOutput(maxBytes)
  // Behind the magic bytes, two bytes of flags, the optional size and the header's checksum.
  let at = 6 + ((flags & HAS_CONTENT_SIZE) === 0 ? 0 : 8) + 1
  const checksumBytes = (flags & HAS_BLOCK_CHECKSUMS) === 0 ? 0 : 4
  for (;;) {
    if (at + 4 > input.length) throw new RangeError('an LZ4 frame has no end')
    const head = input.readUInt32LE(at)
    if (head === 0) return output.result()
    const size = head & ~IS_NOT_COMPRESSED
    at += 4
    if (at + size > input.length) throw new RangeError('an LZ4 block is longer than what there is')
    if ((head & IS_NOT_COMPRESSED) !== 0) output.literal(input, at, size)
    else yield* decodeBlock(input.subarray(at, at + size), output)
    at += size + checksumBytes
  }
}

/** A block is a list of sequences: literals, then a match (a reference to earlier bytes). The last sequence has no match. */
function* decodeBlock(input: Buffer, output: GrowingOutput): Generator<void> {
  let at = 0
  /** Reads a length: 15 continues in the next bytes, as long as they are 255. */
  const lengthOf = (short: number): number => {
    let length = short
    for (let byte = short === 15 ? 255 : 0; byte === 255; length += byte) {
      if (at >= input.length) throw new RangeError('compressed bytes end too early')
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
    if (at + 2 > input.length) throw new RangeError('compressed bytes end too early')
    const distance = input.readUInt16LE(at)
    at += 2
    output.again(distance, lengthOf(token & 15) + MIN_MATCH)
    if (output.isStepDone) yield
  }
}

/** Compresses bytes into an LZ4 frame. */
export function encodeLz4(input: Buffer): Buffer {
  const parts: Buffer[] = [FRAME_HEADER]
  for (let at = 0; at < input.length; at += BLOCK_BYTES) {
    const block = input.subarray(at, at + BLOCK_BYTES)
    const compressed = encodeBlock(block)
    const isSmaller = compressed.length < block.length
    const head = Buffer.alloc(4)
    head.writeUInt32LE(isSmaller ? compressed.length : block.length + IS_NOT_COMPRESSED)
    parts.push(head, isSmaller ? compressed : block)
  }
  return Buffer.concat([...parts, FRAME_END])
}

/** Greedy: takes the last place with the same four bytes that the hash table knows. */
function encodeBlock(input: Buffer): Buffer {
  const output = new BlockOutput(input)
  const places = new Uint16Array(1 << HASH_BITS)
  const end = input.length - LAST_MATCH
  let misses = 0
  for (let at = 1; at < end; ) {
    const four = input.readUInt32LE(at)
    const hash = Math.imul(four, 2_654_435_761) >>> (32 - HASH_BITS)
    const from = places[hash] as number
    places[hash] = at
    if (input.readUInt32LE(from) !== four) {
      misses += 1
      at += 1 + Math.floor(misses / MISSES_PER_STEP)
      continue
    }
    misses = 0
    let length = MIN_MATCH
    while (at + length < input.length - LAST_LITERALS && input[from + length] === input[at + length]) length += 1
    output.sequence(at, { distance: at - from, length })
    at += length
  }
  return output.end()
}

/** Writes the sequences of one block. */
class BlockOutput {
  readonly #input: Buffer
  readonly #bytes: Buffer
  #size = 0
  #written = 0

  constructor(input: Buffer) {
    this.#input = input
    // Incompressible input grows by one byte per 255.
    this.#bytes = Buffer.allocUnsafe(input.length + Math.ceil(input.length / 255) + 16)
  }

  /** Writes the input up to `at` as literals, then a match. */
  sequence(at: number, { distance, length }: { readonly distance: number; readonly length: number }): void {
    this.#literals(at, length - MIN_MATCH)
    this.#size = this.#bytes.writeUInt16LE(distance, this.#size)
    this.#length(length - MIN_MATCH)
    this.#written = at + length
  }

  /** Writes the rest of the input as literals. */
  end(): Buffer {
    this.#literals(this.#input.length, 0)
    return this.#bytes.subarray(0, this.#size)
  }

  #literals(until: number, match: number): void {
    const literals = until - this.#written
    this.#bytes[this.#size++] = (Math.min(literals, 15) << 4) | Math.min(match, 15)
    this.#length(literals)
    this.#input.copy(this.#bytes, this.#size, this.#written, until)
    this.#size += literals
  }

  /** Writes the part of a length that does not fit into the four bits of the token. */
  #length(length: number): void {
    if (length < 15) return
    let rest = length - 15
    for (; rest >= 255; rest -= 255) this.#bytes[this.#size++] = 255
    this.#bytes[this.#size++] = rest
  }
}
