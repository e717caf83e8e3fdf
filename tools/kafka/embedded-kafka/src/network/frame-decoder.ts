import { MalformedFrameError } from '../errors.ts'
import { API_VERSIONS } from '../protocol/api-versions.ts'
import { bufferPool } from '../storage/buffer-pool.ts'

const LENGTH_BYTES = 4
const KEY_BYTES = 2
/** Only Produce needs more; any other request of that size would take too long to answer. */
const MAX_OTHER_FRAME_BYTES = 1024 * 1024
const FIRST_ALLOCATION_BYTES = 4096
const NO_BYTES = Buffer.alloc(0)

/**
 * Cuts the bytes of a connection into frames: four bytes of length, then that many bytes. Memory grows with what has arrived, to twice
 * of it at most: a length alone allocates nothing, and a frame sent byte by byte takes no more room than any other.
 */
export class FrameDecoder {
  /** Of the frames that begin from now on. */
  maxFrameBytes: number
  readonly #head = Buffer.alloc(LENGTH_BYTES)
  #headFilled = 0
  #length: number | undefined
  #body: Buffer = NO_BYTES
  #filled = 0

  constructor(maxFrameBytes: number) {
    this.maxFrameBytes = maxFrameBytes
  }

  /** A part of a frame has arrived. */
  get isWithinFrame(): boolean {
    return this.#headFilled > 0
  }

  /** Memory for the frame that is arriving. */
  get heldBytes(): number {
    return this.#filled === 0 ? 0 : Math.max(this.#body.length, bufferPool.sizeOf(this.#body))
  }

  /**
   * Takes the bytes that arrived, and returns the frames that are complete now.
   * @throws {MalformedFrameError} when a length is not allowed
   */
  push(chunk: Buffer): readonly Buffer[] {
    const frames: Buffer[] = []
    let at = 0
    while (at < chunk.length) {
      if (this.#length === undefined) {
        at += this.#readLength(chunk.subarray(at))
        continue
      }
      const missing = chunk.subarray(at, at + this.#length - this.#filled)
      at += missing.length
      const frame = this.#add(missing, this.#length)
      if (frame) frames.push(frame)
    }
    return frames
  }

  #readLength(chunk: Buffer): number {
    const taken = chunk.copy(this.#head, this.#headFilled)
    this.#headFilled += taken
    if (this.#headFilled < LENGTH_BYTES) return taken
    const length = this.#head.readInt32BE(0)
    if (length <= 0 || length > this.maxFrameBytes) {
      throw new MalformedFrameError(`a frame of ${length} bytes; 1 to ${this.maxFrameBytes} are allowed`)
    }
    this.#length = length
    return taken
  }

  /** The frame, if these bytes complete it. */
  #add(bytes: Buffer, length: number): Buffer | undefined {
    const isWhole = this.#filled + bytes.length === length
    // A frame that arrived in one piece need not be copied.
    const body = this.#filled === 0 && isWhole ? bytes : this.#append(bytes, length)
    const available = this.#filled === 0 ? bytes.length : this.#filled
    if (length > MAX_OTHER_FRAME_BYTES && available >= KEY_BYTES && body.readInt16BE(0) !== API_VERSIONS.Produce.key) {
      throw new MalformedFrameError(
        `a frame of ${length} bytes; ${MAX_OTHER_FRAME_BYTES} are allowed where nothing is produced`,
      )
    }
    if (!isWhole) return undefined
    this.#headFilled = 0
    this.#length = undefined
    this.#body = NO_BYTES
    this.#filled = 0
    return body.subarray(0, length)
  }

  #append(bytes: Buffer, length: number): Buffer {
    const needed = this.#filled + bytes.length
    if (needed > this.#body.length) {
      const size = Math.min(length, Math.max(needed, this.#body.length * 2, FIRST_ALLOCATION_BYTES))
      const grown = bufferPool.take(size)
      this.#body.copy(grown, 0, 0, this.#filled)
      bufferPool.giveBack(this.#body)
      this.#body = grown
    }
    bytes.copy(this.#body, this.#filled)
    this.#filled = needed
    return this.#body
  }
}
