import { compress } from 'snappyjs'
import { GrowingOutput } from './growing-output.ts'
import { atOnce } from './steps.ts'

/** The header of Java's Snappy framing: magic bytes and two versions. librdkafka writes one block without it. */
const HEADER = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00, 0, 0, 0, 1, 0, 0, 0, 1])
const MAGIC = HEADER.subarray(0, 8)
/** The block size of Java's client. */
const BLOCK_BYTES = 32_768
const MAX_LENGTH_BYTES = 5

/**
 * Decompresses one Snappy block, or blocks in Java's framing. snappyjs is not strict enough to read: it cuts a block that is longer than it
 * says, and fills a shorter one with zeros.
 * @throws {RangeError} when the bytes are neither, or the output has more than `maxBytes`
 */
export function decodeSnappy(input: Buffer, maxBytes: number): Buffer {
  return atOnce(snappySteps(input, maxBytes))
}

/** As decodeSnappy, in steps. */
export function* snappySteps(input: Buffer, maxBytes: number): Generator<void, Buffer> {
  const output = new GrowingOutput(maxBytes)
  if (!beginsWithMagic(input)) {
    yield* decodeBlock(input, output)
    return output.result()
  }
  let at = 0
  while (at < input.length) {
    // Streams may follow each other, each with its header.
    if (beginsWithMagic(input.subarray(at))) {
      at += HEADER.length
      continue
    }
    const start = at + 4
    const end = start <= input.length ? start + input.readInt32BE(at) : Number.NaN
    if (!(end >= start && end <= input.length)) throw new RangeError('a Snappy block is longer than what there is')
    yield* decodeBlock(input.subarray(start, end), output)
    at = end
  }
  return output.result()
}

/** Compresses bytes into Snappy blocks in Java's framing. */
export function encodeSnappy(input: Buffer): Buffer {
  const parts: Buffer[] = [HEADER]
  for (let at = 0; at < input.length; at += BLOCK_BYTES) {
    const block = compress(input.subarray(at, at + BLOCK_BYTES))
    const size = Buffer.alloc(4)
    size.writeInt32BE(block.length)
    parts.push(size, block)
  }
  return Buffer.concat(parts)
}

function beginsWithMagic(input: Buffer): boolean {
  return input.subarray(0, MAGIC.length).equals(MAGIC)
}

/** Reads the length in a block's header, and where its elements begin. */
function readLength(input: Buffer): { readonly length: number; readonly at: number } {
  let length = 0
  for (let at = 0; at < MAX_LENGTH_BYTES; at += 1) {
    const byte = input[at]
    if (byte === undefined) break
    length += (byte & 0x7f) * 0x80 ** at
    if (byte < 0x80) return { length, at: at + 1 }
  }
  throw new RangeError('a Snappy block has no length')
}

function littleEndian(input: Buffer, at: number, bytes: number): number {
  if (at + bytes > input.length) throw new RangeError('compressed bytes end too early')
  return input.readUIntLE(at, bytes)
}

/** The lowest bits of an element's first byte say its kind: literals, or a copy with 1, 2 or 4 bytes of distance. */
function* decodeBlock(input: Buffer, output: GrowingOutput): Generator<void> {
  const begin = output.size
  const { length, at: start } = readLength(input)
  output.expect(length)
  let at = start
  while (at < input.length) {
    if (output.isStepDone) yield
    const tag = input[at] as number
    const kind = tag & 3
    at += 1
    if (kind === 0) {
      const short = tag >>> 2
      // From 60 on, it says how many bytes of length follow.
      const lengthBytes = short < 60 ? 0 : short - 59
      const size = (lengthBytes === 0 ? short : littleEndian(input, at, lengthBytes)) + 1
      output.literal(input, at + lengthBytes, size)
      at += lengthBytes + size
    } else if (kind === 1) {
      output.again(((tag >>> 5) << 8) | littleEndian(input, at, 1), ((tag >>> 2) & 7) + 4)
      at += 1
    } else {
      const bytes = kind === 2 ? 2 : 4
      output.again(littleEndian(input, at, bytes), (tag >>> 2) + 1)
      at += bytes
    }
  }
  if (output.size - begin !== length) throw new RangeError('a Snappy block has another length than it says')
}
