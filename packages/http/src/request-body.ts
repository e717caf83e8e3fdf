import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { joinedBody } from './joined-body.ts'

/** Bytes kept of all bodies together; requests beyond that get no second try. */
const KEEP_TOTAL_BYTES = 32 * 1024 * 1024

/** How many bytes are kept at most of one body, and how many are kept now of all of them. */
export interface KeptBytes {
  readonly perRequest: number
  total: number
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
  #source: Readable | undefined
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
    const isFirst = this.#source === undefined
    this.#source ??= joinedBody(this.#incoming)
    this.#outgoing = outgoing
    if (isFirst) {
      this.#bytes = NOTHING
      this.#source.on('data', this.#keep)
      this.#source.once('error', ignore)
    } else if (this.#bytes !== undefined && this.#length > 0) {
      outgoing.write(Buffer.from(this.#bytes.subarray(0, this.#length)))
    }
    if (this.#source.readableEnded) outgoing.end()
    else this.#source.pipe(outgoing)
  }

  /** Stops sending; the rest of the body waits. */
  stop(): void {
    if (this.#outgoing === undefined) return
    this.#source?.unpipe(this.#outgoing)
    this.#source?.pause()
  }

  /** Stops sending, and lets the client send the rest, which nothing reads: the client then sees the answer. */
  drop(): void {
    this.stop()
    // The end of the pieces gives the connection back.
    if (this.#source !== this.#incoming) this.#source?.once('close', () => this.#incoming.resume()).destroy()
    else this.#incoming.resume()
  }

  /** Drops what was kept: there will be no second try. */
  forget(): void {
    this.#source?.off('data', this.#keep)
    this.#kept.total -= this.#bytes?.length ?? 0
    this.#bytes = undefined
    this.#length = 0
  }

  readonly #keep = (chunk: Buffer): void => {
    if (this.#bytes === undefined) return
    const { perRequest, total } = this.#kept
    const length = this.#length + chunk.length
    const room = length <= this.#bytes.length ? this.#bytes.length : Math.min(perRequest, length * 2)
    const more = room - this.#bytes.length
    if (length > perRequest || total + more > KEEP_TOTAL_BYTES) {
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
