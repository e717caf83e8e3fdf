import type { ClientRequest, IncomingMessage } from 'node:http'

/** How many bytes are kept for a second try: of one body, and of all bodies together. */
export interface KeepLimits {
  readonly requestBytes: number
  readonly totalBytes: number
}

/** Counts the bytes kept of all bodies together. */
export class KeptBytes {
  readonly limits: KeepLimits
  total = 0

  constructor(limits: KeepLimits) {
    this.limits = limits
  }
}

/**
 * A request's body on its way to a service. What was sent is kept, within limits, until the service begins to answer, so that it can be sent
 * again over another connection. The client's bytes are read no faster than the service takes them.
 */
export class RequestBody {
  readonly #incoming: IncomingMessage
  readonly #kept: KeptBytes
  readonly #isEmpty: boolean
  /** What was sent so far, with room for more: a client may send each byte as its own chunk. Undefined when it is not kept. */
  #bytes: Buffer | undefined
  #length = 0
  #outgoing: ClientRequest | undefined

  constructor(incoming: IncomingMessage, kept: KeptBytes) {
    this.#incoming = incoming
    this.#kept = kept
    const { headers } = incoming
    this.#isEmpty =
      headers['transfer-encoding'] === undefined &&
      (headers['content-length'] === undefined || +headers['content-length'] === 0)
  }

  /** Whether it can be sent from its beginning: nothing was read yet, or all that was read is kept. */
  get isWhole(): boolean {
    return this.#isEmpty || this.#outgoing === undefined || this.#bytes !== undefined
  }

  sendTo(outgoing: ClientRequest): void {
    if (this.#isEmpty) {
      outgoing.end()
      return
    }
    const incoming = this.#incoming
    const isFirst = this.#outgoing === undefined
    this.#outgoing = outgoing
    if (isFirst) {
      this.#bytes = NOTHING
      incoming.on('data', this.#keep)
      incoming.once('error', ignore)
    } else if (this.#bytes !== undefined && this.#length > 0) {
      outgoing.write(Buffer.from(this.#bytes.subarray(0, this.#length)))
    }
    if (incoming.readableEnded) outgoing.end()
    else incoming.pipe(outgoing)
  }

  /** Stops sending; the rest of the body waits. */
  stop(): void {
    if (this.#outgoing === undefined) return
    this.#incoming.unpipe(this.#outgoing)
    this.#incoming.pause()
  }

  /** Drops what was kept: there will be no second try. */
  forget(): void {
    this.#incoming.off('data', this.#keep)
    this.#kept.total -= this.#bytes?.length ?? 0
    this.#bytes = undefined
    this.#length = 0
  }

  readonly #keep = (chunk: Buffer): void => {
    if (this.#bytes === undefined) return
    const { requestBytes, totalBytes } = this.#kept.limits
    const length = this.#length + chunk.length
    const room = length <= this.#bytes.length ? this.#bytes.length : Math.min(requestBytes, length * 2)
    const more = room - this.#bytes.length
    if (length > requestBytes || this.#kept.total + more > totalBytes) {
      this.forget()
      return
    }
    if (more > 0) {
      const larger = Buffer.allocUnsafeSlow(room)
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
      this.#kept.total += more
    }
    chunk.copy(this.#bytes, this.#length)
    this.#length = length
  }
}

const NOTHING = Buffer.alloc(0)

function ignore(): void {
  // The client left: the response's `close` event handles it.
}
