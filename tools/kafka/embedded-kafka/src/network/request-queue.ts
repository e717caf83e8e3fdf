/** How far ahead of its answers a client is read: this many requests, or bytes of them. */
const MAX_REQUESTS = 64
const MAX_BYTES = 1024 * 1024

/** The requests of one connection that are waiting to be answered. */
export class RequestQueue {
  readonly #frames: Buffer[] = []
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** Whether reading must wait until some are answered. */
  get isFull(): boolean {
    return this.#frames.length >= MAX_REQUESTS || this.#bytes >= MAX_BYTES
  }

  add(frame: Buffer): void {
    this.#frames.push(frame)
    this.#bytes += frame.length
  }

  /** The one that has waited longest. */
  take(): Buffer | undefined {
    const frame = this.#frames.shift()
    this.#bytes -= frame?.length ?? 0
    return frame
  }
}
