/** Smaller buffers cost less than looking after them. */
const SMALLEST_BYTES = 65_536
const MOST_KEPT_BYTES = 33_554_432
const KEPT_MS = 5000

/**
 * Memory for large answers and requests, used again. New buffers for each of them make V8 collect its whole heap, because of the memory
 * outside of it, some thirty times a second under load: a third of the broker's processor time.
 */
export class BufferPool {
  readonly #mostKeptBytes: number
  #kept: Buffer[] = []
  #keptBytes = 0
  readonly #taken = new WeakSet<ArrayBufferLike>()
  #timer: NodeJS.Timeout | undefined
  #wasUsed = false

  constructor(mostKeptBytes = MOST_KEPT_BYTES) {
    this.#mostKeptBytes = mostKeptBytes
  }

  /** Bytes that wait to be used again. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  /** A buffer of `size` bytes that hold anything. It may be given back once, or left to the garbage collection. */
  take(size: number): Buffer {
    if (size < SMALLEST_BYTES) return Buffer.allocUnsafe(size)
    const at = this.#kept.findIndex(({ length }) => length >= size && length <= size * 2)
    const [found] = at < 0 ? [] : this.#kept.splice(at, 1)
    if (found !== undefined) {
      this.#keptBytes -= found.length
      this.#wasUsed = true
    }
    const whole = found ?? Buffer.allocUnsafeSlow(Math.ceil(size / SMALLEST_BYTES) * SMALLEST_BYTES)
    this.#taken.add(whole.buffer)
    return whole.subarray(0, size)
  }

  /** The bytes of memory that a taken buffer uses, which may be more than its own; 0 for others. */
  sizeOf({ buffer }: Buffer): number {
    return this.#taken.has(buffer) ? buffer.byteLength : 0
  }

  /**
   * Takes back the memory of a buffer that was taken, or of a part of it. Nothing may use it any more. Others are left alone. Where it is too
   * much, what waits for the longest time is left to the garbage collection.
   */
  giveBack({ buffer }: Buffer): void {
    if (!this.#taken.delete(buffer)) return
    this.#kept.push(Buffer.from(buffer))
    this.#keptBytes += buffer.byteLength
    while (this.#keptBytes > this.#mostKeptBytes) this.#keptBytes -= this.#kept.shift()?.length ?? 0
    this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref()
  }

  /** Frees all of it when none of it was used since the last time. */
  #forget(): void {
    if (this.#wasUsed) this.#timer?.refresh()
    else {
      this.#kept = []
      this.#keptBytes = 0
      this.#timer = undefined
    }
    this.#wasUsed = false
  }
}

/** The one of this process. */
export const bufferPool = new BufferPool()
