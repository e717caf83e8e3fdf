import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'

/** What the records of all partitions may take. */
export interface Room {
  /** Called before records are added; throws when there is no room for so many bytes. */
  makeRoomFor(bytes: number): void
  /** Called with all that was added, markers of transactions included. */
  add(bytes: number): void
}

/** A part of what is stored. */
export interface Stored {
  readonly sizeInBytes: number
  /** Drops its oldest records; false when it cannot. */
  dropOldest(): boolean
}

/** How full it is after making room, so that not every append has to make some. */
const FILLED_TO = 15 / 16

/** Keeps the records in memory within a limit, as `retention.bytes` over all partitions would: the oldest of the largest go first. */
export class StoredBytes implements Room {
  readonly #maxBytes: number
  readonly #all: () => readonly Stored[]
  /** At least what there is: what is removed otherwise is noticed when this is too much. */
  #bytes = 0
  /** Called when records are dropped for the first time. */
  #onFull: (() => void) | undefined

  constructor(options: {
    readonly maxBytes: number
    readonly all: () => readonly Stored[]
    readonly onFull?: (() => void) | undefined
  }) {
    this.#maxBytes = options.maxBytes
    this.#all = options.all
    this.#onFull = options.onFull
  }

  /**
   * Call before records of so many bytes are added.
   * @throws {ProtocolError} KAFKA_STORAGE_ERROR when there is no room, because open transactions need everything; MESSAGE_TOO_LARGE for
   * more than there can be
   */
  makeRoomFor(bytes: number): void {
    if (bytes > this.#maxBytes) {
      const message = `the record batch has ${bytes} bytes, this broker keeps at most ${this.#maxBytes} bytes in memory`
      throw new ProtocolError(ErrorCode.MESSAGE_TOO_LARGE, message)
    }
    if (this.#bytes + bytes > this.#maxBytes) this.#drop(bytes)
  }

  /** Call with all that was added. */
  add(bytes: number): void {
    this.#bytes += bytes
  }

  #drop(bytes: number): void {
    const sizes = this.#all().map((stored) => ({ stored, size: stored.sizeInBytes }))
    const goal = Math.max(0, this.#maxBytes * FILLED_TO - bytes)
    this.#bytes = sizes.reduce((sum, { size }) => sum + size, 0)
    sizes.sort((a, b) => a.size - b.size)
    while (this.#bytes > goal) {
      const largest = sizes.at(-1)
      if (!largest) break
      if (!largest.stored.dropOldest()) {
        sizes.pop()
        continue
      }
      this.#onFull?.()
      this.#onFull = undefined
      const size = largest.stored.sizeInBytes
      this.#bytes -= largest.size - size
      largest.size = size
      // Only the last one has changed: it moves to where it belongs now.
      sizes.splice(-1, 1)
      const at = sizes.findLastIndex((other) => other.size <= size)
      sizes.splice(at + 1, 0, largest)
    }
    if (this.#bytes + bytes <= this.#maxBytes) return
    throw new ProtocolError(
      ErrorCode.KAFKA_STORAGE_ERROR,
      `this broker keeps at most ${this.#maxBytes} bytes in memory`,
    )
  }
}
